import { extname, join } from "node:path";
import type { FastifyRequest } from "fastify";
import type { Answer } from "../answer.ts";
import { documentationPage } from "../html.ts";
import type { Mounted } from "../server.ts";
import { cachedForever, contentTypeOf, plainName, readStaticFile } from "../static-file.ts";
import { pageHeaders } from "../page-headers.ts";

const policy = [
  // The search runs WebAssembly, in a worker of its own.
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'none'",
];

const pageFor = (minutes: number) => ({
  ...pageHeaders(policy, []),
  "cache-control": `public, max-age=${minutes * 60}`,
});

/** The index of the search: packed by its own build, and read by its script alone. */
const searchFile = /^pagefind\/.*\.(pf_meta|pf_index|pf_fragment|pf_filter|pagefind)$/;

const fileHeaders = (path: string): Readonly<Record<string, string>> | undefined => {
  const contentType = searchFile.test(path) ? "application/octet-stream" : contentTypeOf(path);
  if (contentType === undefined) return undefined;
  return {
    "content-type": contentType,
    // Names under _astro contain a content hash.
    "cache-control": path.startsWith("_astro/") ? cachedForever : "public, max-age=300",
  };
};

const notBuilt = (): Answer =>
  documentationPage({
    status: 404,
    title: "The documentation is not built",
    main: `<p>If you operate this service: run <code>npm run build:site</code>, or set SITE_FOLDER to the folder with the built
pages.</p><p><a href="/docs/api">The API reference</a> is there without it.</p>`,
  });

/** The documentation, as `npm run build:site` leaves it. The reference of the API has routes of its own. */
export const siteRoutes = (siteFolder: string | undefined): readonly Mounted[] => {
  const read = async (request: FastifyRequest, folder: string, path: string): Promise<Answer | undefined> => {
    if (path !== "" && !path.split("/").every((name) => plainName.test(name))) return undefined;
    if (extname(path) === "") return readStaticFile(request, join(folder, path, "index.html"), pageFor(5));
    const headers = fileHeaders(path);
    return headers && readStaticFile(request, join(folder, path), headers);
  };
  const answer = async (request: FastifyRequest): Promise<Answer> => {
    if (siteFolder === undefined) return notBuilt();
    const { "*": rest = "" } = request.params as { "*"?: string };
    const found = await read(request, siteFolder, rest.replace(/\/$/, ""));
    if (found) return found;
    const notFound = await readStaticFile(request, join(siteFolder, "404.html"), pageFor(0));
    return notFound ? { ...notFound, status: 404 } : notBuilt();
  };
  return [
    { method: "GET", path: "/docs", answer },
    { method: "GET", path: "/docs/*", answer },
  ];
};

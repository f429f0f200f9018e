import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import type { FastifyRequest } from "fastify";
import { Problem } from "../../answer.ts";
import type { Mounted } from "../../server.ts";

const contentTypes: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".webp": "image/webp",
  ".woff2": "font/woff2",
  ".json": "application/json; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
};

/** A plain file name: the pattern excludes path traversal. */
const fileName = /^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)+$/;

const encodings = [
  { name: "br", suffix: ".br" },
  { name: "gzip", suffix: ".gz" },
];

const accepted = ({ headers }: FastifyRequest) => {
  const offers = (headers["accept-encoding"] ?? "").split(",");
  const taken = new Set(
    offers
      .filter((offer) => !/;\s*q=0(\.0*)?\s*$/i.test(offer))
      .map((offer) => offer.split(";", 1)[0]?.trim()),
  );
  return encodings.filter(({ name }) => taken.has(name));
};

const readIfThere = (path: string): Promise<Buffer | undefined> =>
  readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "EISDIR") return undefined;
    throw error;
  });

/** Serves the built files. Their names contain a content hash, so that browsers cache them forever. */
export const assets = (webFolder: string): Mounted => ({
  method: "GET",
  path: "/wizard/assets/:file",
  answer: async (request) => {
    const { file } = request.params as { file: string };
    const contentType = contentTypes[extname(file)];
    if (!fileName.test(file) || contentType === undefined)
      throw new Problem("not_found", "There is no such file.");
    const path = join(webFolder, "wizard/assets", file);
    const headers = {
      "content-type": contentType,
      "cache-control": "public, max-age=31536000, immutable",
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "same-origin",
      vary: "accept-encoding",
    };
    for (const { name, suffix } of accepted(request)) {
      const packed = await readIfThere(`${path}${suffix}`);
      if (packed) return { status: 200, body: packed, headers: { ...headers, "content-encoding": name } };
    }
    const body = await readIfThere(path);
    if (!body) throw new Problem("not_found", "There is no such file.");
    return { status: 200, body, headers };
  },
});

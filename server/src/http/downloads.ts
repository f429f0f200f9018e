import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { escapeHtml } from "../platform/escape-html.ts";
import { type Answer, Problem } from "./answer.ts";
import { documentationPage } from "./html.ts";
import type { Mounted } from "./server.ts";

/** The packed SDK by its version: the pattern excludes all other files, and path traversal. */
const fileName = /^portage-sdk-\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?\.tgz$/;

const notThere = () =>
  new Problem(
    "not_found",
    "There is no such file: check its version. If you operate this service, “npm run build:packages” creates it.",
  );

interface Needs {
  /** Undefined: this installation has none. */
  readonly folder: string | undefined;
  readonly publicUrl: string;
}

const listPage = async ({ folder, publicUrl }: Needs): Promise<Answer> => {
  const files = folder === undefined ? [] : await readdir(folder, { withFileTypes: true }).catch(() => []);
  const commands = files
    .filter((file) => file.isFile() && fileName.test(file.name))
    .map(({ name }) => `<p><code>npm install ${escapeHtml(publicUrl)}/downloads/${name}</code></p>`);
  return documentationPage({
    title: "SDK",
    main:
      commands.length > 0
        ? `<p class="lead">The client of the partner API for JavaScript and TypeScript, with the check of webhooks. It has no dependencies.</p>${commands.join("")}<p><a href="/docs/partners/sdk/">How to use it</a></p>`
        : "<p>This installation has no packed SDK. If you operate this service: run <code>npm run build:packages -- sdk</code>.</p>",
  });
};

/** The packed SDK, which partners install from here until it is in npm's registry, and a page that says so. */
export const downloads = (needs: Needs): readonly Mounted[] => [
  { method: "GET", path: "/downloads", answer: () => listPage(needs) },
  {
    method: "GET",
    path: "/downloads/:file",
    answer: async (request) => {
      const { file } = request.params as { file: string };
      if (needs.folder === undefined || !fileName.test(file)) throw notThere();
      const body = await readFile(join(needs.folder, file)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT" || error.code === "EISDIR") throw notThere();
        throw error;
      });
      return {
        status: 200,
        body,
        headers: { "content-type": "application/gzip", "x-content-type-options": "nosniff" },
      };
    },
  },
];

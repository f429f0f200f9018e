import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Problem } from "./answer.ts";
import type { Mounted } from "./server.ts";

/** The packed SDK by its version: the pattern excludes all other files, and path traversal. */
const fileName = /^portage-sdk-\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?\.tgz$/;

const notThere = () =>
  new Problem(
    "not_found",
    "There is no such file: check its version. If you operate this service, “npm run build:packages” creates it.",
  );

/** The packed SDK, which partners install from here until it is in npm's registry. */
export const downloads = (folder: string): Mounted => ({
  method: "GET",
  path: "/downloads/:file",
  answer: async (request) => {
    const { file } = request.params as { file: string };
    if (!fileName.test(file)) throw notThere();
    const body = await readFile(join(folder, file)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT" || error.code === "EISDIR") throw notThere();
      throw error;
    });
    return {
      status: 200,
      body,
      headers: { "content-type": "application/gzip", "x-content-type-options": "nosniff" },
    };
  },
});

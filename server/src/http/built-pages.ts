import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Problem } from "./answer.ts";
import type { Mounted } from "./server.ts";
import { cachedForever, contentTypeOf, plainName, readStaticFile } from "./static-file.ts";

/** The single-page applications that `npm run build:web` makes, each in a folder and under a path of its name. */
export type BuiltPages = "wizard" | "console";

/** What an application may load: files of its own origin. */
export const builtPagesPolicy = [
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "font-src 'self'",
  "form-action 'self'",
];

/** The application's page; undefined: it is not built. */
export const readBuiltPage = async (webFolder: string, name: BuiltPages): Promise<string | undefined> => {
  try {
    return await readFile(join(webFolder, name, "index.html"), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return undefined;
  }
};

/** Serves the application's files. Their names contain a content hash, so that browsers cache them forever. */
export const builtAssets = (webFolder: string, name: BuiltPages): Mounted => ({
  method: "GET",
  path: `/${name}/assets/:file`,
  answer: async (request) => {
    const { file } = request.params as { file: string };
    const contentType = contentTypeOf(file);
    const found =
      plainName.test(file) &&
      contentType !== undefined &&
      (await readStaticFile(request, join(webFolder, name, "assets", file), {
        "content-type": contentType,
        "cache-control": cachedForever,
      }));
    if (!found) throw new Problem("not_found", "There is no such file.");
    return found;
  },
});

import { join } from "node:path";
import { Problem } from "../../answer.ts";
import type { Mounted } from "../../server.ts";
import { cachedForever, contentTypeOf, plainName, readStaticFile } from "../../static-file.ts";

/** Serves the built files. Their names contain a content hash, so that browsers cache them forever. */
export const assets = (webFolder: string): Mounted => ({
  method: "GET",
  path: "/wizard/assets/:file",
  answer: async (request) => {
    const { file } = request.params as { file: string };
    const contentType = contentTypeOf(file);
    const found =
      plainName.test(file) &&
      contentType !== undefined &&
      (await readStaticFile(request, join(webFolder, "wizard/assets", file), {
        "content-type": contentType,
        "cache-control": cachedForever,
      }));
    if (!found) throw new Problem("not_found", "There is no such file.");
    return found;
  },
});

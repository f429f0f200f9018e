import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Plugin } from "vite";

const asBrotli = promisify(brotliCompress);
const asGzip = promisify(gzip);

/** Files worth compressing; fonts are compressed already. */
const gains = /\.(js|css|html|svg|json)$/;

const compressFile = async (file: string) => {
  const bytes = await readFile(file);
  const quality = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  await writeFile(`${file}.br`, await asBrotli(bytes, { params: quality }));
  await writeFile(`${file}.gz`, await asGzip(bytes, { level: 9 }));
};

/** Writes a `.br` and a `.gz` beside every file worth compressing, so that the server never compresses on request. */
export const compress = (): Plugin => ({
  name: "portage-compress",
  apply: "build",
  writeBundle: async ({ dir = "" }) => {
    const entries = await readdir(dir, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile() && gains.test(entry.name));
    await Promise.all(files.map((entry) => compressFile(join(entry.parentPath, entry.name))));
  },
});

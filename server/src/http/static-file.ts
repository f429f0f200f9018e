import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import type { FastifyRequest } from "fastify";
import type { Answer } from "./answer.ts";

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

/** Undefined: not a kind of file that we serve. */
export const contentTypeOf = (path: string): string | undefined => contentTypes[extname(path)];

/** A plain file or folder name: the pattern excludes path traversal and files that start with a dot. */
export const plainName = /^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/;

export const cachedForever = "public, max-age=31536000, immutable";

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
    if (error.code === "ENOENT" || error.code === "EISDIR" || error.code === "ENOTDIR") return undefined;
    throw error;
  });

/** A built file, in the best encoding that its build made and the client accepts. Undefined: it is not there. */
export const readStaticFile = async (
  request: FastifyRequest,
  path: string,
  given: Readonly<Record<string, string>>,
): Promise<Answer | undefined> => {
  const headers = {
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
    vary: "accept-encoding",
    ...given,
  };
  for (const { name, suffix } of accepted(request)) {
    const packed = await readIfThere(`${path}${suffix}`);
    if (packed) return { status: 200, body: packed, headers: { ...headers, "content-encoding": name } };
  }
  const body = await readIfThere(path);
  return body && { status: 200, body, headers };
};

import { createHash, randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { Readable } from "node:stream";
import { fileBytes } from "../../tools/stand-in/file-bytes.ts";
import type { VendorClock } from "./clock.ts";
import { closeServer, listen } from "./vendor-server.ts";

/** A file's contents: given, or computed from a name so that large ones cost no memory. */
export type FileContent = Buffer | { readonly name: string; readonly size: number };

export interface StoredFile {
  readonly name: string;
  readonly mediaType: string;
  readonly content: FileContent;
}

export const sizeOf = (content: FileContent): number =>
  Buffer.isBuffer(content) ? content.length : content.size;

export function* bytesOf(content: FileContent): Generator<Buffer> {
  if (Buffer.isBuffer(content)) yield content;
  else yield* fileBytes(content.name, content.size);
}

export const sha256Of = (content: FileContent): string => {
  const hash = createHash("sha256");
  for (const chunk of bytesOf(content)) hash.update(chunk);
  return hash.digest("hex");
};

interface Needs {
  readonly clock: VendorClock;
  /** A caller sent the API's credentials to this host, which belongs to another company. */
  onCredentials(path: string): void;
}

/** Where a vendor keeps files: another host, with signed links that need no credentials and end. */
export const startFileHost = async ({ clock, onCredentials }: Needs) => {
  const secret = randomUUID();
  const files = new Map<string, StoredFile>();
  const served = { files: 0, refused: 0 };
  const sign = (key: string, until: number) =>
    createHash("sha256").update(`${secret}/${key}/${until}`).digest("hex").slice(0, 16);
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? "", "http://files.test").pathname;
    const refuse = (status: number) => {
      served.refused += 1;
      response.writeHead(status, { "content-type": "application/xml" }).end("<Error/>");
    };
    if (request.headers.authorization !== undefined) {
      onCredentials(path);
      return refuse(400);
    }
    const [key = "", until = "", signature] = path.slice(1).split("/");
    const file = files.get(key);
    if (!file) return refuse(404);
    if (signature !== sign(key, Number(until)) || Number(until) <= clock.now()) return refuse(403);
    served.files += 1;
    response.writeHead(200, { "content-type": file.mediaType, "content-length": sizeOf(file.content) });
    Readable.from(bytesOf(file.content)).pipe(response);
  });
  const url = await listen(server);
  return {
    url,
    served,
    store: (key: string, file: StoredFile) => void files.set(key, file),
    file: (key: string) => files.get(key),
    /** As the vendor signs one for each answer; without an end it stays the same. */
    link: (key: string, lifeMs?: number): string => {
      const until = lifeMs === undefined ? Number.MAX_SAFE_INTEGER : clock.now() + lifeMs;
      return `${url}/${key}/${until}/${sign(key, until)}/${encodeURIComponent(files.get(key)?.name ?? "")}`;
    },
    close: () => closeServer(server),
  };
};

export type FileHost = Awaited<ReturnType<typeof startFileHost>>;

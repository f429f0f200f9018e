import { randomUUID } from "node:crypto";
import type { FileBody, HttpRequest, Part } from "../io.ts";

/** A body that each attempt opens anew. */
export interface RequestBody {
  readonly headers: Readonly<Record<string, string>>;
  readonly streamed: boolean;
  open(): Promise<string | AsyncIterable<Uint8Array> | null>;
}

const nothing: RequestBody = { headers: {}, streamed: false, open: async () => null };

const lengthOf = (size: number | null): Record<string, string> =>
  size === null ? {} : { "content-length": String(size) };

const ofFile = (file: FileBody): RequestBody => ({
  headers: { "content-type": file.contentType, ...lengthOf(file.size) },
  streamed: true,
  open: async () => file.open(),
});

/** Escapes names as browsers do, so that quotes and line breaks can't end the header. */
const quoted = (name: string) => name.replaceAll('"', "%22").replaceAll("\r", "%0D").replaceAll("\n", "%0A");

const headOf = (boundary: string, { name, content }: Part): Buffer => {
  const disposition = `--${boundary}\r\ncontent-disposition: form-data; name="${quoted(name)}"`;
  if (typeof content === "string") return Buffer.from(`${disposition}\r\n\r\n`);
  const type = /^[\w.+-]+\/[\w.+-]+(;.*)?$/.test(content.contentType)
    ? content.contentType.replaceAll(/[\r\n]/g, "")
    : "application/octet-stream";
  return Buffer.from(`${disposition}; filename="${quoted(content.name)}"\r\ncontent-type: ${type}\r\n\r\n`);
};

const ofParts = (parts: readonly Part[]): RequestBody => {
  const boundary = `portage-${randomUUID()}`;
  const end = Buffer.from(`--${boundary}--\r\n`);
  const sizes = parts.map(({ content }) =>
    typeof content === "string" ? Buffer.byteLength(content) : content.size,
  );
  const heads = parts.map((part) => headOf(boundary, part));
  const size = sizes.includes(null)
    ? null
    : heads.reduce((sum, head, index) => sum + head.length + (sizes[index] ?? 0) + 2, end.length);
  async function* write(): AsyncGenerator<Uint8Array> {
    for (const [index, { content }] of parts.entries()) {
      yield heads[index] ?? end;
      if (typeof content === "string") yield Buffer.from(content);
      else yield* await content.open();
      yield Buffer.from("\r\n");
    }
    yield end;
  }
  return {
    headers: { "content-type": `multipart/form-data; boundary=${boundary}`, ...lengthOf(size) },
    streamed: true,
    open: async () => write(),
  };
};

const ofText = (contentType: string, text: () => string): RequestBody => ({
  headers: { "content-type": contentType },
  streamed: false,
  open: async () => text(),
});

export const requestBody = ({ json, form, parts, file }: HttpRequest): RequestBody => {
  if ([json, form, parts, file].filter((each) => each !== undefined).length > 1)
    throw new TypeError("A request has one body: json, form, parts or file.");
  if (json !== undefined) {
    const text = typeof json === "function" ? null : JSON.stringify(json);
    return ofText("application/json", () => text ?? JSON.stringify((json as () => unknown)()));
  }
  if (form) return ofText("application/x-www-form-urlencoded", () => new URLSearchParams(form).toString());
  if (parts) return ofParts(parts);
  if (file) return ofFile(file);
  return nothing;
};

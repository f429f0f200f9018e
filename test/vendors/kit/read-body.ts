import type { IncomingMessage } from "node:http";

/** A part of a multipart body that is a file. */
export interface SentFile {
  readonly field: string;
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: Buffer;
}

export interface Body {
  readonly mediaType: string | undefined;
  readonly bytes: Buffer;
  /** JSON, or the fields of a form with brackets as nesting; undefined: there is none, or bytes alone. */
  readonly value: unknown;
  readonly files: readonly SentFile[];
}

type Fields = { [name: string]: unknown };

/** `a[b]` nests, `a[]` is a list: as Ruby on Rails and others read forms. */
const putField = (root: Fields, path: string, value: unknown): void => {
  const names = path.split(/\[|\]\[|\]/).filter((name, index, all) => name !== "" || index < all.length - 1);
  let at = root;
  for (const [index, name] of names.entries()) {
    const next = names[index + 1];
    if (next === undefined) at[name] = value;
    else if (next === "") {
      at[name] = [...((at[name] as unknown[] | undefined) ?? []), value];
      return;
    } else at = (at[name] ??= {}) as Fields;
  }
};

/** The parameters of an address, with `a[]` as a list and other brackets left in the name, as OpenAPI has them. */
export const readQuery = (query: URLSearchParams): Fields => {
  const fields: Fields = {};
  for (const [name, value] of query) fields[name] = value;
  return fields;
};

const readMultipart = async (bytes: Buffer, contentType: string) => {
  const form = await new Response(new Uint8Array(bytes), {
    headers: { "content-type": contentType },
  }).formData();
  const fields: Fields = {};
  const files: SentFile[] = [];
  for (const [field, value] of form)
    if (typeof value === "string") putField(fields, field, value);
    else
      files.push({
        field,
        name: value.name,
        mediaType: value.type,
        bytes: Buffer.from(await value.arrayBuffer()),
      });
  return { value: fields, files };
};

export const readBody = async (request: IncomingMessage): Promise<Body> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  const contentType = request.headers["content-type"];
  const mediaType = contentType?.split(";")[0]?.trim();
  const body = { mediaType, bytes, value: undefined, files: [] };
  if (bytes.length === 0) return body;
  if (mediaType === "application/json") return { ...body, value: JSON.parse(bytes.toString()) as unknown };
  if (mediaType === "multipart/form-data")
    return { ...body, ...(await readMultipart(bytes, contentType ?? "")) };
  if (mediaType === "application/x-www-form-urlencoded") {
    const fields: Fields = {};
    for (const [name, value] of new URLSearchParams(bytes.toString())) putField(fields, name, value);
    return { ...body, value: fields };
  }
  return body;
};

export interface Logo {
  readonly contentType: "image/png" | "image/jpeg" | "image/webp" | "image/svg+xml";
  readonly bytes: Buffer;
}

export type ReadLogo =
  | { readonly kind: "logo"; readonly logo: Logo }
  /** A predicate: "must be …". */
  | { readonly kind: "refused"; readonly message: string };

const maxBytes = 256 * 1024;

const isText = (bytes: Buffer) => !bytes.includes(0);

const startsWith = (bytes: Buffer, text: string, at = 0) =>
  bytes.subarray(at, at + text.length).toString("latin1") === text;

/** Detects the type by the file's content, never by its name. */
const contentTypeOf = (bytes: Buffer): Logo["contentType"] | undefined => {
  if (startsWith(bytes, "\x89PNG\r\n\x1a\n")) return "image/png";
  if (startsWith(bytes, "\xff\xd8\xff")) return "image/jpeg";
  if (startsWith(bytes, "RIFF") && startsWith(bytes, "WEBP", 8)) return "image/webp";
  const beginning = isText(bytes) ? bytes.subarray(0, 4_096).toString() : "";
  // A comment ends at its first end, so that there is one way to read each text.
  const isSvg = /^\uFEFF?\s*(<\?xml[^>]*>\s*)?(<!--((?!-->)[^])*-->\s*)*(<!DOCTYPE svg[^>[]*>\s*)?<svg[\s>]/i;
  return isSvg.test(beginning) ? "image/svg+xml" : undefined;
};

/** Validates a file as a logo. */
export const readLogo = (bytes: Buffer): ReadLogo => {
  if (bytes.length > maxBytes)
    return { kind: "refused", message: `must be at most ${maxBytes / 1024} KiB large` };
  const contentType = contentTypeOf(bytes);
  return contentType
    ? { kind: "logo", logo: { contentType, bytes } }
    : { kind: "refused", message: "must be a PNG, JPEG, WebP or SVG file" };
};

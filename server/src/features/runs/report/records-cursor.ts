import type { RecordsCursor } from "./list-report-records.ts";

/** A cursor as a client holds it. */
export const recordsCursorText = ({ stream, after }: RecordsCursor): string =>
  Buffer.from(`${stream}\n${after}`).toString("base64url");

export const readRecordsCursor = (text: string): RecordsCursor | "invalid" => {
  const [stream, after, ...others] = Buffer.from(text, "base64url").toString().split("\n");
  // PostgreSQL rejects NUL in text.
  if (!stream || after === undefined || others.length > 0 || after.includes("\0")) return "invalid";
  return { stream, after };
};

import { randomBytes } from "node:crypto";
import type { ToSign } from "@portage/connector-kit";
import { uploadHeader } from "@portage/contract/destination-protocol";
import { signatureHeaders } from "@portage/contract/signing";
import type { Settings } from "./settings.ts";

export const encodeStatement = (statement: object): string =>
  Buffer.from(JSON.stringify(statement)).toString("base64url");

/** The caller builds a statement before the attempt, so it gets the time of the attempt here. */
const stamped = (encoded: string, timestamp: number): string =>
  JSON.stringify({ ...(JSON.parse(Buffer.from(encoded, "base64url").toString()) as object), timestamp });

/** The headers of one attempt: its signatures and, for an upload, the signed statement. */
export const signCall = ({ token }: Settings, { headers, body }: ToSign): Record<string, string> => {
  const now = Date.now();
  const statement = headers[uploadHeader];
  const content = statement === undefined ? (body ?? "") : stamped(statement, now);
  return {
    ...(statement !== undefined && { [uploadHeader]: Buffer.from(content).toString("base64url") }),
    ...signatureHeaders({
      secrets: [token],
      // A new id for every attempt: a receiver refuses an id that it has seen.
      id: `call_${randomBytes(16).toString("hex")}`,
      timestampSeconds: Math.floor(now / 1000),
      content,
    }),
  };
};

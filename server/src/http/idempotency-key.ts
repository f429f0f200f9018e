import { Problem } from "./answer.ts";

const maxLength = 255;

/** The client's idempotency key, quoted (as in the header's draft standard) or bare. */
export const idempotencyKey = (header: string | undefined): string | undefined => {
  if (header === undefined) return undefined;
  const key = /^"(.*)"$/.exec(header)?.[1] ?? header;
  if (key === "" || key.length > maxLength)
    throw new Problem("bad_request", `Idempotency-Key must have 1 to ${maxLength} characters.`);
  return key;
};

import { z } from "zod";
import { named } from "./named.ts";
import { refusalCode, refusalMessage } from "./parts.ts";

/** The errors of a whole call, and how Portage reacts to them. */
export const protocolErrors = {
  400: ["bad_request", "The body is no JSON. Portage stops and tells the operator."],
  401: [
    "unauthorized",
    "A signature is missing or wrong, the time is off by more than 5 minutes, the id was seen before, or the body is for another call. Portage asks for the secret again.",
  ],
  404: ["not_found", "You don't have this stream. Its records are skipped."],
  409: [
    "busy",
    "Another call with one of these keys is under way, and nothing was done. Portage sends it again.",
  ],
  413: [
    "too_large",
    "The body or the file is larger than you take. Portage sends smaller batches; a single record is skipped.",
  ],
  422: [
    "invalid",
    "The body does not have the form that is described here. Portage sends the records one by one and skips those that are refused.",
  ],
  429: ["rate_limited", "Too many calls. Portage waits as long as `Retry-After` says."],
  500: ["internal", "Something went wrong on your side. Portage sends the call again, later and later."],
  503: ["unavailable", "Not now. Portage waits as long as `Retry-After` says."],
} as const satisfies Readonly<Record<number, readonly [code: string, description: string]>>;

export const protocolError = named(
  "ProtocolError",
  "Why a whole call was refused.",
  z.object({ error: z.object({ code: refusalCode, message: refusalMessage }) }),
);

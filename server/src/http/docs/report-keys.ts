import type { PublicKey } from "../../platform/sign.ts";
import { ok } from "../answer.ts";
import type { Mounted } from "../server.ts";

/** The public keys that verify signed summaries, as a JWK set, for every recipient of a summary. */
export const reportKeysRoute = (keys: readonly PublicKey[]): Mounted => ({
  method: "GET",
  path: "/.well-known/portage-report-keys.json",
  answer: async () => ok({ keys }, { "cache-control": "public, max-age=300" }),
});

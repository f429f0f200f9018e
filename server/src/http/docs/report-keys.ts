import type { PublicKey } from "../../platform/sign.ts";
import { ok } from "../answer.ts";
import type { Mounted } from "../server.ts";

/** The keys that signed summaries are checked with, as a JWK set, for whoever was shown one. */
export const reportKeysRoute = (keys: readonly PublicKey[]): Mounted => ({
  method: "GET",
  path: "/.well-known/portage-report-keys.json",
  answer: async () => ok({ keys }, { "cache-control": "public, max-age=300" }),
});

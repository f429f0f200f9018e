// `npm run generate` writes contract/openapi.json from the routes; a test fails when the file is out of date.
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createToolRegistry } from "../server/src/features/tools/index.ts";
import { partnerApi } from "../server/src/http/partner/index.ts";
import { openDatabase } from "../server/src/platform/db.ts";
import { createSealer } from "../server/src/platform/seal.ts";
import { createSigner } from "../server/src/platform/sign.ts";

export const openApiFile = join(import.meta.dirname, "../contract/openapi.json");

/** The description needs no database; the pool connects on the first query. */
export const openApiText = (): string => {
  const { openApi } = partnerApi({
    db: openDatabase({
      url: "postgres://127.0.0.1/none",
      poolSize: 1,
      statementTimeoutMs: 1,
      acquireTimeoutMs: 1,
      applicationName: "openapi",
      onConnectionLost: () => {},
    }),
    sealer: createSealer([{ id: "none", key: randomBytes(32) }]),
    signer: createSigner([{ id: "none", key: randomBytes(32) }]),
    registry: createToolRegistry([]),
    checkDestination: async () => ({ kind: "not_all_given" }),
    webhookAllow: [],
    publicUrl: "https://portage.example",
    signInFailuresPerMinute: 1,
  });
  return `${JSON.stringify(openApi, null, 2)}\n`;
};

if (import.meta.main) writeFileSync(openApiFile, openApiText());

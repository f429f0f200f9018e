// A separate process that refreshes a side's tokens on request: one line in, one line out.
import { createInterface } from "node:readline";
import type { Transport } from "@portage/connector-kit/http";
import {
  createAccessTokens,
  createAuthorizationServer,
} from "../../server/src/features/connections/index.ts";
import { findOAuthClient } from "../../server/src/features/tools/index.ts";
import { openDatabase } from "../../server/src/platform/db.ts";
import { createOutbound } from "../../server/src/platform/outbound/index.ts";
import { createSealer } from "../../server/src/platform/seal.ts";
import { signInConnector } from "./authorization-server.ts";

const { DATABASE_URL = "", KEY = "", IMPORT = "", INSTANCE = "", DIES = "" } = process.env;

const db = openDatabase({
  url: DATABASE_URL,
  poolSize: 3,
  statementTimeoutMs: 120_000,
  acquireTimeoutMs: 10_000,
  applicationName: "portage refresh",
  onConnectionLost: () => {},
});
const sealer = createSealer([{ id: "k1", key: Buffer.from(KEY, "base64") }]);
const outbound = createOutbound({ allow: [new URL(INSTANCE).host] });
const deadly: Transport = {
  send: async (request) => {
    await outbound.send(request);
    process.kill(process.pid, "SIGKILL");
    return new Promise(() => {});
  },
};
const { manifest } = signInConnector();
const { auth } = manifest;
if (auth.kind !== "oauth2") throw new Error("no sign-in page");
const tokens = createAccessTokens({
  db,
  sealer,
  server: createAuthorizationServer({
    transport: DIES ? deadly : outbound,
    findClient: (tool, origin) => findOAuthClient(db, sealer, tool, origin),
  }),
})(
  { importId: IMPORT, side: "source" },
  { manifest: { ...manifest, auth }, settings: { instanceUrl: INSTANCE } },
  1,
);

await tokens.current();
process.stdout.write("ready\n");
for await (const spent of createInterface({ input: process.stdin })) {
  const renewed = await Promise.all([1, 2, 3].map(() => tokens.refresh(spent)));
  process.stdout.write(`${JSON.stringify([...new Set(renewed)])}\n`);
}
await db.close();
await outbound.close();

import { createTestIo } from "@portage/connector-kit/testing";
import { createZendesk } from "@portage/connectors";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createAuthorizationServer } from "../../../server/src/features/connections/authorization-server.ts";
import { createOutbound, type Outbound } from "../../../server/src/platform/outbound/index.ts";
import { Secret } from "../../../server/src/platform/secret.ts";
import { startZendesk, type Zendesk } from "./stand-in.ts";

let zendesk: Zendesk;
let outbound: Outbound;
beforeAll(async () => {
  zendesk = await startZendesk({ sizes: null, quotas: "off" });
  outbound = createOutbound({ allow: [new URL(zendesk.url).host] });
});
afterAll(async () => {
  await outbound.close();
  await zendesk.close();
});

test("a customer signs in on Zendesk's page, and the session outlives its first token", async () => {
  const connector = createZendesk({
    account: new RegExp(`^${zendesk.url}$`),
    files: [zendesk.filesUrl],
    exportLagMs: 0,
  });
  const settings = { instanceUrl: zendesk.url };
  const { manifest } = connector;
  expect(manifest.settings.safeParse(settings).success).toBe(true);
  if (manifest.auth.kind !== "choice") throw new Error(manifest.auth.kind);
  const of = { manifest: { ...manifest, auth: manifest.auth.oauth2 }, settings } as never;
  const server = createAuthorizationServer({
    transport: outbound,
    findClient: async () => ({ id: "portage", secret: new Secret("a-secret") }),
  });
  const asked = {
    redirectUri: "https://portage.example/back",
    state: "a-state",
    verifier: "v".repeat(43),
  };
  const url = await server.signInUrl(of, { side: "destination", ...asked });
  expect(url?.searchParams.get("scope")).toBe("read write");
  const back = (await fetch(url?.href ?? "", { redirect: "manual" })).headers.get("location") ?? "";
  const granted = await server.redeemCode(of, { ...asked, query: new URL(back).searchParams });
  if (granted.kind !== "granted" || !granted.tokens.refresh) throw new Error(granted.kind);
  let tokens = granted.tokens;
  let refreshes = 0;
  const io = createTestIo({
    manifest,
    settings,
    transport: outbound,
    tokens: {
      current: async () => tokens.access.reveal(),
      async refresh() {
        refreshes += 1;
        const renewed = tokens.refresh && (await server.refresh(of, tokens.refresh));
        if (renewed?.kind !== "granted") return null;
        tokens = renewed.tokens;
        return tokens.access.reveal();
      },
    },
  });
  expect((await connector.check(io)).signInName).toBe(zendesk.credentials.email);
  for (let times = 1; times <= 2; times += 1) {
    zendesk.clock.advance(1_800_000);
    expect((await connector.check(io)).signInName).toBe(zendesk.credentials.email);
    expect(refreshes).toBe(times);
  }
  expect(zendesk.breaches.all).toEqual([]);
});

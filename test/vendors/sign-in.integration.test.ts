import type { Connector } from "@portage/connector-kit";
import { createTestIo } from "@portage/connector-kit/testing";
import { createZendesk } from "@portage/connectors";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createIntercom } from "../../connectors/intercom/index.ts";
import { createAuthorizationServer } from "../../server/src/features/connections/authorization-server.ts";
import { createOutbound, type Outbound } from "../../server/src/platform/outbound/index.ts";
import { Secret } from "../../server/src/platform/secret.ts";
import { originsOf as intercomAt } from "./intercom/origins.ts";
import { type Intercom, startIntercom } from "./intercom/stand-in.ts";
import { originsOf as zendeskAt } from "./zendesk/origins.ts";
import { startZendesk, type Zendesk } from "./zendesk/stand-in.ts";

let zendesk: Zendesk;
let intercom: Intercom;
let outbound: Outbound;
beforeAll(async () => {
  zendesk = await startZendesk({ sizes: null, quotas: "off" });
  intercom = await startIntercom({ quotas: "off" });
  outbound = createOutbound({ allow: [zendesk, intercom].map(({ url }) => new URL(url).host) });
});
afterAll(async () => {
  await outbound.close();
  await intercom.close();
  await zendesk.close();
});

/** The customer signs in on the tool's page; `io` has the session that follows. */
const signIn = async <S>({ manifest }: Connector<S>, settings: S) => {
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
  const url = await server.signInUrl(of, { side: "source", ...asked });
  const back = (await fetch(url?.href ?? "", { redirect: "manual" })).headers.get("location") ?? "";
  const granted = await server.redeemCode(of, { ...asked, query: new URL(back).searchParams });
  if (granted.kind !== "granted") throw new Error(granted.kind);
  let { tokens } = granted;
  let refreshes = 0;
  const io = createTestIo<S>({
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
  return { io, scope: url?.searchParams.get("scope") ?? null, tokens, refreshes: () => refreshes };
};

test("a customer signs in on Zendesk's page, and the session outlives its first token", async () => {
  const connector = createZendesk(zendeskAt(zendesk));
  const { io, scope, refreshes } = await signIn(connector, { instanceUrl: zendesk.url });
  expect(scope).toBe("read");
  expect((await connector.check(io)).signInName).toBe(zendesk.credentials.email);
  for (let times = 1; times <= 2; times += 1) {
    zendesk.clock.advance(1_800_000);
    expect((await connector.check(io)).signInName).toBe(zendesk.credentials.email);
    expect(refreshes()).toBe(times);
  }
  expect(zendesk.breaches.all).toEqual([]);
});

test("a customer signs in on Intercom's page; the token ends when the workspace removes the app", async () => {
  const connector = createIntercom(intercomAt(intercom));
  const { io, scope, tokens } = await signIn(connector, { instanceUrl: `${intercom.url}/a/inbox/acme` });
  expect(scope).toBeNull();
  expect(tokens.refresh).toBeNull();
  expect(tokens.accessExpiresAt).toBeNull();
  intercom.clock.advance(365 * 24 * 3_600_000);
  expect((await connector.check(io)).accountName).toBeTruthy();
  expect(intercom.breaches.all).toEqual([]);
  intercom.oauth.uninstall();
  await expect(connector.check(io)).rejects.toMatchObject({ recovery: "reauthorize" });
});

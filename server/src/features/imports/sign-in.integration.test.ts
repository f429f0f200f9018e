import { inspect } from "node:util";
import type { OAuth2 } from "@portage/connector-kit";
import { expect, test } from "vitest";
import { asConnector, callback, useSignIn } from "../../../../test/support/signed-in.ts";
import { Secret } from "../../platform/secret.ts";
import { createAuthorizationServer, deleteOldSignIns } from "../connections/index.ts";
import { findConnection } from "../connections/store.ts";
import { findOAuthClient } from "../tools/index.ts";
import { beginSignIn, finishSignIn } from "./sign-in.ts";
import { findAnyImport } from "./store.ts";

const { parts, sealer, needs, newImport, begin, finish, signIn } = useSignIn();

const urlOf = async (...asked: Parameters<typeof begin>) => {
  const begun = await begin(...asked);
  if (begun.kind !== "go") throw new Error(begun.kind);
  return begun.url;
};
const scopeOf = async (...asked: Parameters<typeof begin>) =>
  new URL(await urlOf(...asked)).searchParams.get("scope");

test("sends the customer to the tool's own page, with a proof that only we can finish", async () => {
  const found = await newImport();
  const url = new URL(await urlOf(found));
  expect(url.origin + url.pathname).toBe(`${parts.page.url}/auth`);
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    client_id: "portage",
    response_type: "code",
    redirect_uri: callback,
    code_challenge_method: "S256",
    code_challenge: expect.stringMatching(/^[\w-]{43}$/) as string,
    state: expect.stringMatching(/^[\w-]{43}$/) as string,
  });
  expect(url.href).not.toContain("the-secret");
});

test("a source never gets permission to write", async () => {
  const found = await newImport();
  expect(await scopeOf(found, "source")).toBe("tickets:read");
  expect(await scopeOf(found, "destination")).toBe("tickets:read tickets:write");
});

test("consent connects the side, and seals the tokens", async () => {
  const found = await newImport();
  expect(await signIn(found)).toEqual({
    kind: "connected",
    account: { signInName: "jo", accountName: parts.page.host, accountId: parts.page.host },
  });
  expect((await findAnyImport(parts.db, sealer, found.id))?.state.sourceConnected).toBe(true);
  expect(await findConnection(parts.db, sealer, { importId: found.id, side: "source" })).toMatchObject({
    state: "connected",
    settings: { instanceUrl: parts.page.url },
  });
  const { rows } = await parts.db.pool.query<{ access: Buffer; refresh: Buffer; ends: Date }>(
    `select access_token as access, refresh_token as refresh, access_expires_at as ends from connections
     where import_id = $1`,
    [found.id],
  );
  expect(rows[0]?.access.length).toBeGreaterThan(20);
  expect(rows[0]?.refresh.length).toBeGreaterThan(20);
  expect(rows[0]?.ends.getTime()).toBeGreaterThan(Date.now() + 3_000_000);
});

test("a callback works once, in time, and for its own import only", async () => {
  const found = await newImport();
  const other = await newImport();
  const query = await parts.page.visit(await urlOf(found));
  // another import's sign-in must not end up in this one
  expect(await finish(other, query)).toEqual({ kind: "unknown" });
  const state = new URLSearchParams({ code: query.get("code") ?? "", state: "x" });
  expect(await finish(found, state)).toEqual({ kind: "unknown" });
  expect((await finish(found, query)).kind).toBe("connected");
  expect(await finish(found, query)).toEqual({ kind: "unknown" });

  const late = await parts.page.visit(await urlOf(found));
  await parts.db.pool.query(
    "update sign_ins set expires_at = now() - interval '1 second' where import_id = $1",
    [found.id],
  );
  expect(await finish(found, late)).toEqual({ kind: "unknown" });
  expect(await deleteOldSignIns(parts.db)).toBe(1);

  const first = await urlOf(found);
  const second = await urlOf(found);
  expect(await finish(found, await parts.page.visit(first))).toEqual({ kind: "unknown" });
  expect((await finish(found, await parts.page.visit(second))).kind).toBe("connected");
});

test("a code issued to another party is refused", async () => {
  const found = await newImport();
  const url = new URL(await urlOf(found));
  // an attacker's own challenge: the code is bound to a verifier that we don't have
  url.searchParams.set("code_challenge", "x".repeat(43));
  expect(await finish(found, await parts.page.visit(url.href))).toMatchObject({
    kind: "refused",
    refusal: { code: "no_permission" },
  });
});

test("a refused consent explains how to continue", async () => {
  const found = await newImport();
  const query = await parts.page.visit(await urlOf(found), false);
  expect(query.get("error")).toBe("access_denied");
  expect(await finish(found, query)).toMatchObject({
    kind: "refused",
    refusal: {
      message: "Acme Cloud did not let us in.",
      fix: expect.stringContaining("Start again") as string,
    },
  });
  expect((await findAnyImport(parts.db, sealer, found.id))?.state.sourceConnected).toBe(false);
});

test("a wrong address, and a tool without a registered OAuth client", async () => {
  const found = await newImport();
  expect(await beginSignIn(needs())(found, "source", { instanceUrl: "acme" })).toMatchObject({
    kind: "invalid",
    errors: { instanceUrl: [expect.stringContaining("must be an address")] },
  });
  const server = createAuthorizationServer({
    transport: parts.outbound,
    findClient: async () => undefined,
  });
  const typed = { instanceUrl: parts.page.url };
  expect(await beginSignIn({ ...needs(), server })(found, "source", typed)).toEqual({
    kind: "not_registered",
    label: "Acme Cloud",
    origin: parts.page.url,
  });
});

test("a client's secret never goes to an address at which the operator did not register", async () => {
  const found = await newImport();
  const elsewhere = { instanceUrl: "https://evil.example" };
  expect(await beginSignIn(needs())(found, "source", elsewhere)).toMatchObject({
    kind: "not_registered",
    origin: "https://evil.example",
  });
  const sent: string[] = [];
  const server = createAuthorizationServer({
    transport: {
      send: async ({ url }) => {
        sent.push(url);
        throw new Error("not sent");
      },
    },
    findClient: (tool, origin) => findOAuthClient(parts.db, sealer, tool, origin),
  });
  const { manifest } = asConnector();
  if (manifest.auth.kind !== "oauth2") throw new Error("no sign-in page");
  const at = (settings: object, auth = manifest.auth as OAuth2) => ({
    manifest: { ...manifest, auth },
    settings,
  });
  const token = new Secret("a-token");
  const refresh = (of: ReturnType<typeof at>) => server.refresh(of, token).catch((error: Error) => error);
  expect(await refresh(at(elsewhere))).toMatchObject({ code: "oauth_client_missing" });
  expect(await server.revoke(at(elsewhere), { access: token, refresh: null })).toBe(false);
  const here = { instanceUrl: parts.page.url };
  const otherRevocation = {
    ...manifest.auth,
    revocationUrl: () => "https://evil.example/revoke",
  };
  expect(await server.revoke(at(here, otherRevocation), { access: token, refresh: null })).toBe(false);
  expect(sent).toEqual([]);
  // The guard is what stops it: at the registered origin the call goes out.
  expect(await refresh(at(here))).toMatchObject({ code: "sign_in_unreachable" });
  expect(sent).toEqual([`${parts.page.url}/token`]);
});

test("a failing token endpoint is reported, without the callback's secrets", async () => {
  const found = await newImport();
  const query = await parts.page.visit(await urlOf(found));
  const code = query.get("code") ?? "";
  const server = createAuthorizationServer({
    transport: { send: ({ body }) => Promise.reject(new Error(JSON.stringify({ refused: body }))) },
    findClient: (tool, origin) => findOAuthClient(parts.db, sealer, tool, origin),
  });
  const outcome = await finishSignIn({ ...needs(), server })(found, query);
  expect(outcome).toMatchObject({ kind: "unchecked", refusal: { code: "not_now" } });
  expect(inspect(outcome, { depth: 9 })).not.toContain(code);
});

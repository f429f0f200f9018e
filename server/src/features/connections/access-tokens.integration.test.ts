import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { inspect } from "node:util";
import { createLocalLimiter } from "@portage/connector-kit/http";
import { beforeEach, describe, expect, test } from "vitest";
import { asConnector, useSignIn } from "../../../../test/support/signed-in.ts";
import { Secret } from "../../platform/secret.ts";
import { disconnectSide } from "../imports/index.ts";
import { findOAuthClient } from "../tools/index.ts";
import { createAccessTokens } from "./access-tokens.ts";
import { createAuthorizationServer } from "./authorization-server.ts";
import { createOpenSide } from "./open-side.ts";
import { findTokens } from "./store-tokens.ts";
import { listConnections } from "./store.ts";

const { parts, sealer, registry, server, newImport, signIn } = useSignIn();
const { manifest } = asConnector();

beforeEach(() => {
  parts.page.refreshes.used = 0;
  parts.page.refreshes.reused = 0;
});

type Needs = Parameters<typeof createAccessTokens>[0];

/** Like another process, with its own cache. */
const tokensOf = (importId: string, needs: Partial<Needs> = {}) => {
  if (manifest.auth.kind !== "oauth2") throw new Error("no sign-in page");
  const accessTokens = createAccessTokens({ db: parts.db, sealer, server: server(), ...needs });
  const of = { manifest: { ...manifest, auth: manifest.auth }, settings: { instanceUrl: parts.page.url } };
  return accessTokens({ importId, side: "source" }, of, 1);
};
const signedIn = async () => {
  const found = await newImport();
  expect((await signIn(found)).kind).toBe("connected");
  return found;
};
const stateOf = async (importId: string) => (await listConnections(parts.db, sealer, importId))[0]?.state;
const accepted = async (token: string) =>
  (await fetch(`${parts.page.url}/me`, { headers: { authorization: `Bearer ${token}` } })).status === 200;
const update = (importId: string, set: string) =>
  parts.db.pool.query(`update connections set ${set} where import_id = $1`, [importId]);

/** A token that was issued almost an hour ago, for an hour. */
const endsInSeconds = (seconds: number) =>
  `checked_at = now() - interval '1 hour', access_expires_at = now() + interval '${seconds} seconds'`;

describe("a token that the tool refuses", () => {
  test("is replaced by a new one, which all processes use from then on", async () => {
    const { id } = await signedIn();
    const one = tokensOf(id);
    const two = tokensOf(id);
    const first = await one.current();
    expect(await two.current()).toBe(first);
    const second = await one.refresh(first);
    expect(second).not.toBe(first);
    expect(await accepted(second ?? "")).toBe(true);
    expect(await one.current()).toBe(second);
    // The other process still caches the first token, and takes the stored one instead of refreshing again.
    expect(await two.refresh(first)).toBe(second);
    expect(await two.current()).toBe(second);
    expect(parts.page.refreshes).toEqual({ used: 1, reused: 0 });
  });

  test("is replaced once, however many processes meet it at the same time", async () => {
    const { id } = await signedIn();
    const processes = Array.from({ length: 6 }, () => tokensOf(id));
    // All of them have a database connection already, so that none is late.
    const [spent = ""] = await Promise.all(processes.map((tokens) => tokens.current()));
    const renewed = await Promise.all(
      processes.flatMap((tokens) => [tokens.refresh(spent), tokens.refresh(spent)]),
    );
    expect(new Set(renewed).size).toBe(1);
    expect(await accepted(renewed[0] ?? "")).toBe(true);
    expect(parts.page.refreshes).toEqual({ used: 1, reused: 0 });
    expect(await stateOf(id)).toBe("connected");
  });

  test("in several rounds: each refresh token is used once", async () => {
    const { id } = await signedIn();
    const processes = Array.from({ length: 3 }, () => tokensOf(id));
    let spent = (await processes[0]?.current()) ?? "";
    for (let round = 1; round <= 5; round += 1) {
      const renewed = await Promise.all(processes.map((tokens) => tokens.refresh(spent)));
      expect(new Set(renewed).size).toBe(1);
      spent = renewed[0] ?? "";
      expect(parts.page.refreshes).toEqual({ used: round, reused: 0 });
    }
  });
});

describe("a token that expires", () => {
  test("is refreshed before it is used", async () => {
    const { id } = await signedIn();
    const first = await tokensOf(id).current();
    await update(id, endsInSeconds(5));
    const second = await tokensOf(id).current();
    expect(second).not.toBe(first);
    expect(parts.page.refreshes.used).toBe(1);
  });

  test("is used for most of its life if that is short", async () => {
    const { id } = await signedIn();
    await update(id, "access_expires_at = now() + interval '5 seconds', checked_at = now()");
    const tokens = tokensOf(id);
    expect(await tokens.current()).toBe(await tokens.current());
    expect(parts.page.refreshes.used).toBe(0);
  });

  test("is used until its expiry while it can't be refreshed", async () => {
    const { id } = await signedIn();
    const down = createAuthorizationServer({
      transport: { send: () => Promise.reject(new Error("down")) },
      findClient: (tool, origin) => findOAuthClient(parts.db, sealer, tool, origin),
    });
    const first = await tokensOf(id).current();
    await update(id, endsInSeconds(5));
    expect(await tokensOf(id, { server: down }).current()).toBe(first);
    await update(id, endsInSeconds(-5));
    await expect(tokensOf(id, { server: down }).current()).rejects.toMatchObject({ recovery: "retry" });
    expect(await stateOf(id)).toBe("connected");
  });
});

describe("a grant that the tool ended", () => {
  const open = (importId: string) =>
    createOpenSide({
      db: parts.db,
      sealer,
      registry,
      transport: parts.outbound,
      limiterFor: ({ limits, concurrency }) => createLocalLimiter(limits, concurrency),
    })({ importId, side: "source", runId: null });
  const never = new AbortController().signal;

  test("the customer must sign in, and then it continues", async () => {
    const found = await signedIn();
    const side = await open(found.id);
    if (side.kind !== "open") throw new Error("missing");
    expect((await side.connector.check(side.io(never))).signInName).toBe("jo");
    await parts.page.revokeAll();
    await expect(side.connector.check(side.io(never))).rejects.toMatchObject({ recovery: "reauthorize" });
    expect(await stateOf(found.id)).toBe("expired");
    const token = await tokensOf(found.id).current();
    expect(await tokensOf(found.id).refresh(token)).toBeNull();
    expect((await signIn(found)).kind).toBe("connected");
    expect(await stateOf(found.id)).toBe("connected");
    const again = await open(found.id);
    if (again.kind !== "open") throw new Error("missing");
    expect((await again.connector.check(again.io(never))).signInName).toBe("jo");
    expect(parts.page.refreshes.used).toBe(0);
  });

  test("a new token that is refused does not refresh forever", async () => {
    const { id } = await signedIn();
    const side = await open(id);
    if (side.kind !== "open") throw new Error("missing");
    parts.page.refuseTokens(true);
    await expect(side.connector.check(side.io(never))).rejects.toMatchObject({ recovery: "reauthorize" });
    parts.page.refuseTokens(false);
    expect(parts.page.refreshes).toEqual({ used: 1, reused: 0 });
  });

  test("a sign-in without a refresh token expires with its access token", async () => {
    const { id } = await signedIn();
    await update(id, "refresh_token = null");
    const side = await open(id);
    if (side.kind !== "open") throw new Error("missing");
    parts.page.refuseTokens(true);
    await expect(side.connector.check(side.io(never))).rejects.toMatchObject({ recovery: "reauthorize" });
    parts.page.refuseTokens(false);
    expect(await stateOf(id)).toBe("expired");
    expect(parts.page.refreshes.used).toBe(0);
  });
});

describe("crashes and races", () => {
  test("another process takes over from one that died during a refresh, once its claim expires", async () => {
    const { id } = await signedIn();
    const spent = await tokensOf(id).current();
    await update(id, `refresh_claim = '${randomUUID()}', refresh_until = now() + interval '1 minute'`);
    const waiting = tokensOf(id).refresh(spent);
    expect(await Promise.race([waiting, sleep(400).then(() => "waits")])).toBe("waits");
    expect(parts.page.refreshes.used).toBe(0);
    await update(id, "refresh_until = now() - interval '1 second'");
    expect(await waiting).not.toBe(spent);
    expect(parts.page.refreshes).toEqual({ used: 1, reused: 0 });
  });

  test("a process that died after the tool's answer costs one sign-in, no more", async () => {
    const { id } = await signedIn();
    const tokens = await findTokens(parts.db, sealer, { importId: id, side: "source" });
    if (manifest.auth.kind !== "oauth2" || !tokens?.refresh) throw new Error("no refresh token");
    const of = { manifest: { ...manifest, auth: manifest.auth }, settings: { instanceUrl: parts.page.url } };
    expect((await server().refresh(of, tokens.refresh)).kind).toBe("granted"); // and the tokens are lost
    expect(await tokensOf(id).refresh(tokens.access.reveal())).toBeNull();
    expect(await stateOf(id)).toBe("expired");
  });

  test("a short database outage does not lose the new tokens", async () => {
    const { id } = await signedIn();
    const spent = await tokensOf(id).current();
    // Like a restarting server: the first three attempts to store tokens fail.
    await parts.db.pool.query(`create sequence tries;
      create function restart() returns trigger language plpgsql as $$ begin
        if nextval('tries') <= 3 then raise 'starting up' using errcode = '57P03'; end if; return new; end $$;
      create trigger restart before update of access_token on connections for each row execute function restart()`);
    const renewed = await tokensOf(id).refresh(spent);
    const { rows } = await parts.db.pool.query("select last_value::int as tries from tries");
    await parts.db.pool.query("drop trigger restart on connections");
    expect(rows).toEqual([{ tries: 4 }]);
    expect(renewed).not.toBeNull();
    expect(await tokensOf(id).current()).toBe(renewed);
    expect(parts.page.refreshes).toEqual({ used: 1, reused: 0 });
  });

  test("a new sign-in during a refresh wins", async () => {
    const found = await signedIn();
    const spent = await tokensOf(found.id).current();
    let theirs = "";
    const slow = {
      refresh: async (...asked: Parameters<ReturnType<typeof server>["refresh"]>) => {
        const granted = await server().refresh(...asked);
        expect((await signIn(found)).kind).toBe("connected");
        theirs = await tokensOf(found.id).current();
        return granted;
      },
    };
    expect(await tokensOf(found.id, { server: slow }).refresh(spent)).toBe(theirs);
    expect(await tokensOf(found.id).current()).toBe(theirs);
    expect(await accepted(theirs)).toBe(true);
    expect(await stateOf(found.id)).toBe("connected");
  });

  test("a disconnect during a refresh wins: no tokens are stored", async () => {
    const { id } = await signedIn();
    const spent = await tokensOf(id).current();
    const slow = {
      refresh: async (...asked: Parameters<ReturnType<typeof server>["refresh"]>) => {
        const granted = await server().refresh(...asked);
        await disconnectSide(parts.db)(id, "source");
        return granted;
      },
    };
    expect(await tokensOf(id, { server: slow }).refresh(spent)).toBeNull();
    const { rows } = await parts.db.pool.query(
      "select state, access_token, refresh_token from connections where import_id = $1",
      [id],
    );
    expect(rows).toEqual([{ state: "disconnected", access_token: null, refresh_token: null }]);
  });

  test("a refused OAuth client is the operator's problem: the customer need not sign in", async () => {
    const { id } = await signedIn();
    const spent = await tokensOf(id).current();
    const wrong = createAuthorizationServer({
      transport: parts.outbound,
      findClient: async () => ({ id: "portage", secret: new Secret("another-secret") }),
    });
    const error: unknown = await tokensOf(id, { server: wrong })
      .refresh(spent)
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ recovery: "retry" });
    expect(inspect(error, { depth: 9 })).not.toMatch(/another-secret/);
    expect(await stateOf(id)).toBe("connected");
    // The claim was released: a process with the right client need not wait.
    expect(await tokensOf(id).refresh(spent)).not.toBeNull();
  });
});

describe("tools differ in their refresh tokens", () => {
  const granting = (refresh: Secret | null) => ({
    refresh: async () => ({
      kind: "granted" as const,
      tokens: { access: new Secret(randomUUID()), refresh, accessExpiresAt: null },
    }),
  });

  test("a refresh token that the answer does not repeat is kept", async () => {
    const { id } = await signedIn();
    const at = { importId: id, side: "source" } as const;
    const before = await findTokens(parts.db, sealer, at);
    const renewed = await tokensOf(id, { server: granting(null) }).refresh(await tokensOf(id).current());
    const after = await findTokens(parts.db, sealer, at);
    expect(after?.access.reveal()).toBe(renewed);
    expect(after?.refresh?.reveal()).toBe(before?.refresh?.reveal());
    expect(after?.generation).toBe((before?.generation ?? 0) + 1);
  });

  test("a tool that declares no refresh tokens gets none stored", async () => {
    const { id } = await signedIn();
    const { refresh } = (await findTokens(parts.db, sealer, { importId: id, side: "source" })) ?? {};
    const none = asConnector("none").manifest;
    if (!refresh || none.auth.kind !== "oauth2") throw new Error("no refresh token");
    const of = { manifest: { ...none, auth: none.auth }, settings: { instanceUrl: parts.page.url } };
    expect(await server().refresh(of, refresh)).toMatchObject({ kind: "granted", tokens: { refresh: null } });
  });
});

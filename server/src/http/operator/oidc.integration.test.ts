import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type Claims,
  identityClient,
  type IdentityProvider,
  startIdentityProvider,
} from "../../../../test/support/identity-provider.ts";
import { operatorUrl, useOperatorApi } from "../../../../test/support/operator-api.ts";
import {
  checkEnrolment,
  findOpenInvitation,
  insertStaff,
  invite,
  issueStaffToken,
} from "../../features/staff/index.ts";
import { insertPasskey } from "../../features/staff/store-passkeys.ts";
import { totpCode, totpStep } from "../../features/staff/totp.ts";
import { createOperatorOidc } from "../../main/operator-oidc.ts";
import { newId } from "../../platform/ids.ts";
import { Secret } from "../../platform/secret.ts";
import { operatorBase } from "./base.ts";

let provider: IdentityProvider;
let oidc: ReturnType<typeof createOperatorOidc>;
beforeAll(async () => {
  provider = await startIdentityProvider(`${operatorUrl}/console/oidc/callback`);
  oidc = createOperatorOidc({
    OPERATOR_URL: operatorUrl,
    OPERATOR_PORT: undefined,
    OPERATOR_OIDC_ISSUER: provider.url,
    OPERATOR_OIDC_CLIENT_ID: identityClient.id,
    OPERATOR_OIDC_CLIENT_SECRET: identityClient.secret,
    OPERATOR_OIDC_LABEL: "Acme ID",
    OPERATOR_OIDC_ROLES_CLAIM: "acme.groups",
    OPERATOR_OIDC_ROLES: ["portage-admins=admin", "portage-ops=operator"],
  });
});
afterAll(async () => {
  await oidc?.close();
  provider.close();
});
const api = useOperatorApi({
  oidc: () => {
    if (!oidc) throw new Error("no provider");
    return oidc.client;
  },
});

const pair = (line: string | undefined) => (line ?? "").split(";")[0] ?? "";

const start = async (to = "/console/imports?stuck=true") => {
  const { status, headers } = await api.ask(null, {
    path: `/console/oidc/start?to=${encodeURIComponent(to)}`,
  });
  expect(status).toBe(302);
  const [line = ""] = headers["set-cookie"] ?? [];
  expect(line).toMatch(/^__Host-portage-oidc=.+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600; Secure$/);
  return { location: headers.location ?? "", cookie: pair(line) };
};

const comeBack = async (at: URL, cookie: string) => {
  const { status, headers } = await api.ask(null, {
    path: `${at.pathname}${at.search}`,
    headers: { cookie },
  });
  expect(status).toBe(302);
  const cookies = headers["set-cookie"] ?? [];
  // Whatever comes of it, the attempt is over.
  expect(pair(cookies[0])).toBe("__Host-portage-oidc=");
  return { location: headers.location, cookie: cookies[1] === undefined ? null : pair(cookies[1]) };
};

/** A whole sign-in of a person as the provider knows them. */
const signIn = async (subject: string, claims: Claims, { allow = true, to = "/console" } = {}) => {
  provider.setPerson(subject, { email: `${subject}@acme.example`, email_verified: true, ...claims });
  const begun = await start(to);
  return comeBack(await provider.visit(begun.location, subject, allow), begun.cookie);
};

const session = (cookie: string | null) =>
  api.ask(null, { path: `${operatorBase}/session`, headers: { cookie: cookie ?? "" } });

const password = "correct horse battery";
const personOf = async (cookie: string | null) =>
  ((await session(cookie)).json as { person: { id: string; email: string } }).person;

/** Chooses a password here; what comes back signs in with it, and returns the status. */
const enrol = async (staffId: string) => {
  const { db, sealer } = api;
  const { token } = await invite(db, sealer, staffId);
  const secret = (await findOpenInvitation(db, sealer, token))?.totpSecret ?? "";
  const codeAt = (off: number) => totpCode(secret, totpStep(Date.now()) + off);
  const checked = await checkEnrolment(
    { db, sealer },
    { token, password: new Secret(password), code: codeAt(0) },
  );
  if (checked.kind !== "checked") throw new Error(checked.kind);
  const person = await checked.save(db);
  return async () => {
    await db.pool.query("update staff_passwords set totp_step = 0 where staff_id = $1", [staffId]);
    const body = { email: person?.email, password, code: codeAt(0) };
    return (await api.ask(null, { method: "POST", path: `${operatorBase}/sign-in/local`, body })).status;
  };
};

/** Every way to sign in that an installation without an identity provider has. */
const givenCredentials = async (staffId: string) => {
  const signInHere = await enrol(staffId);
  await insertPasskey(api.db, staffId, { id: randomUUID(), publicKey: new Uint8Array(8), counter: 0 });
  await invite(api.db, api.sealer, staffId);
  return signInHere;
};

const countCredentials = async (staffId: string) =>
  (
    await api.db.pool.query<{ passwords: number; passkeys: number; invitations: number }>(
      `select (select count(*) from staff_passwords where staff_id = $1) as passwords,
         (select count(*) from staff_passkeys where staff_id = $1) as passkeys,
         (select count(*) from staff_invitations where staff_id = $1) as invitations`,
      [staffId],
    )
  ).rows[0];
const none = { passwords: 0, passkeys: 0, invitations: 0 };
const all = { passwords: 1, passkeys: 1, invitations: 1 };

const refusals = async () =>
  (
    await api.db.pool.query<{ outcome: string; staff_id: string | null; target_id: string | null }>(
      "select outcome, staff_id, target_id from staff_audit where action = 'signIn' and outcome <> 'done' order by seq",
    )
  ).rows;

describe("a sign-in by the identity provider", () => {
  test("is offered, and makes an account with the role of the claim", async () => {
    expect((await api.ask(null, { path: `${operatorBase}/sign-in` })).json).toMatchObject({
      oidc: { label: "Acme ID", start: "/console/oidc/start" },
    });
    const subject = randomUUID();
    const jo = await signIn(
      subject,
      { name: "Jo", groups: ["else", "portage-ops"] },
      { to: "/console/imports?a=b" },
    );
    expect(jo.location).toBe("/console/imports?a=b");
    const { json } = await session(jo.cookie);
    expect(json).toMatchObject({
      person: { name: "Jo", email: `${subject}@acme.example`, role: "operator", partner: null },
      signed_in_by: "oidc",
    });
    const { id } = (json as { person: { id: string } }).person;
    const { rows } = await api.db.pool.query(
      "select * from staff_audit where action = 'signIn' and staff_id = $1",
      [id],
    );
    expect(rows).toMatchObject([{ outcome: "done", role: "operator", after: { signed_in_by: "oidc" } }]);
  });

  test("follows the claim each time, and keeps one account", async () => {
    const subject = randomUUID();
    const first = await session((await signIn(subject, { groups: "portage-ops" })).cookie);
    const second = await session(
      (await signIn(subject, { groups: ["portage-admins"], email: "new@acme.example" })).cookie,
    );
    expect(first.json).toMatchObject({ person: { role: "operator" } });
    const { id } = (first.json as { person: { id: string } }).person;
    expect(second.json).toMatchObject({ person: { id, role: "admin" } });
  });

  test("without a role is refused, and a removed role ends what was open", async () => {
    const subject = randomUUID();
    expect(await signIn(subject, { groups: ["else"] })).toEqual({
      location: "/console/sign-in?problem=oidc_no_role",
      cookie: null,
    });
    expect((await refusals()).at(-1)).toMatchObject({
      outcome: "oidc_no_role",
      staff_id: null,
      target_id: null,
    });
    const jo = await signIn(subject, { groups: ["portage-admins"] });
    const { id } = ((await session(jo.cookie)).json as { person: { id: string } }).person;
    const wanted = { label: "x", role: "admin", areas: null, days: 1 } as const;
    const { record } = await issueStaffToken(api.db, id, wanted);
    expect((await signIn(subject, { groups: [] })).location).toContain("oidc_no_role");
    expect((await refusals()).at(-1)).toMatchObject({ outcome: "oidc_no_role", target_id: id });
    const { rows } = await api.db.pool.query(
      `select revoked_at is not null as ended from staff_tokens where id = $1
       union all select revoked_at is not null from staff_sessions where staff_id = $2`,
      [record.id, id],
    );
    expect(rows).toEqual([{ ended: true }, { ended: true }]);
  });

  test("without a role any more ends every other way to sign in; a later invitation works", async () => {
    const subject = randomUUID();
    const { id } = await personOf((await signIn(subject, { groups: ["portage-admins"] })).cookie);
    const signInHere = await givenCredentials(id);
    expect(await signInHere()).toBe(204);
    expect((await signIn(subject, { groups: [] })).location).toContain("oidc_no_role");
    expect(await signInHere()).toBe(401);
    expect(await countCredentials(id)).toEqual(none);
    expect(await (await enrol(id))()).toBe(204);
  });

  test("that links an account ends every other way to sign in to it; a later invitation works", async () => {
    const subject = randomUUID();
    const { id } = await api.person("viewer");
    const email = `${id}@acme.example`;
    const signInHere = await givenCredentials(id);
    expect(await signInHere()).toBe(204);
    // Nobody vouches for the address: the account stays as it is.
    await signIn(subject, { email, email_verified: false, groups: ["portage-ops"] });
    expect(await countCredentials(id)).toEqual(all);
    const linked = await signIn(subject, { email, groups: ["portage-ops"] });
    expect(await personOf(linked.cookie)).toMatchObject({ id });
    expect(await signInHere()).toBe(401);
    expect(await countCredentials(id)).toEqual(none);
    const again = await enrol(id);
    // Signing in by the provider once more leaves it.
    await signIn(subject, { email, groups: ["portage-ops"] });
    expect(await again()).toBe(204);
  });

  test("of a disabled person, or one who said no, is refused", async () => {
    const subject = randomUUID();
    const jo = await signIn(subject, { groups: ["portage-admins"] });
    const { id } = ((await session(jo.cookie)).json as { person: { id: string } }).person;
    await api.db.pool.query("update staff set disabled_at = now() where id = $1", [id]);
    expect((await signIn(subject, { groups: ["portage-admins"] })).location).toContain("oidc_disabled");
    const denied = await signIn(randomUUID(), {}, { allow: false });
    expect(denied).toEqual({ location: "/console/sign-in?problem=oidc_refused", cookie: null });
    expect((await refusals()).slice(-2).map(({ outcome }) => outcome)).toEqual([
      "oidc_disabled",
      "oidc_refused",
    ]);
  });

  test("takes an account with the same address only if the provider vouches for the address", async () => {
    const email = `${randomUUID()}@acme.example`;
    const id = newId("stf");
    await insertStaff(api.db, id, { name: "Kim", email: email.toUpperCase(), role: "viewer" });
    const [subject, another] = [randomUUID(), randomUUID()];
    const groups = ["portage-ops"];
    expect((await signIn(subject, { email, email_verified: false, groups })).location).toContain(
      "oidc_failed",
    );
    const linked = await signIn(subject, { email, groups });
    expect((await session(linked.cookie)).json).toMatchObject({ person: { id, role: "operator" } });
    // The account has an identity now.
    expect((await signIn(another, { email, groups })).location).toContain("oidc_failed");
  });

  test.each([["partner"], ["break-glass"]])("never takes a %s account", async (kind) => {
    const email = `${randomUUID()}@acme.example`;
    const { partnerId } = await api.givenImport();
    const id = newId("stf");
    await insertStaff(api.db, id, {
      name: "Kim",
      email,
      ...(kind === "partner"
        ? { role: "partner", partner_id: partnerId }
        : { role: "admin", break_glass: true }),
    });
    const signInHere = await givenCredentials(id);
    for (const groups of [["portage-admins"], []]) {
      const answered = await signIn(randomUUID(), { email, groups });
      expect(answered.location).toContain(groups.length > 0 ? "oidc_failed" : "oidc_no_role");
    }
    expect(await countCredentials(id)).toEqual(all);
    expect(await signInHere()).toBe(204);
  });

  test("of two browsers at once makes one account", async () => {
    const subject = randomUUID();
    provider.setPerson(subject, { email: `${subject}@acme.example`, groups: ["portage-ops"] });
    const begun = [await start(), await start()];
    const returns = [];
    for (const { location, cookie } of begun)
      returns.push({ at: await provider.visit(location, subject), cookie });
    const done = await Promise.all(returns.map(({ at, cookie }) => comeBack(at, cookie)));
    const ids = await Promise.all(
      done.map(async ({ cookie }) => ((await session(cookie)).json as { person: { id: string } }).person.id),
    );
    expect(new Set(ids).size).toBe(1);
  });
});

describe("a return from the provider", () => {
  const subject = randomUUID();
  const returned = async () => {
    provider.setPerson(subject, { email: `${subject}@acme.example`, groups: ["portage-admins"] });
    const begun = await start();
    return { at: await provider.visit(begun.location, subject), cookie: begun.cookie };
  };
  const failed = { location: "/console/sign-in?problem=oidc_failed", cookie: null };

  test("with a forged state is refused", async () => {
    const { at, cookie } = await returned();
    at.searchParams.set("state", "forged");
    expect(await comeBack(at, cookie)).toEqual(failed);
    at.searchParams.delete("state");
    expect(await comeBack(at, cookie)).toEqual(failed);
  });

  test("to another browser than the one that left is refused", async () => {
    const { at } = await returned();
    const other = await returned();
    expect(await comeBack(at, other.cookie)).toEqual(failed);
    expect(await comeBack(at, "")).toEqual(failed);
    expect(await comeBack(at, "__Host-portage-oidc=AAAA")).toEqual(failed);
  });

  test("works once", async () => {
    const { at, cookie } = await returned();
    expect((await comeBack(at, cookie)).cookie).not.toBeNull();
    expect(await comeBack(at, cookie)).toEqual(failed);
    expect((await refusals()).at(-1)).toMatchObject({ outcome: "oidc_failed" });
  });

  test("with a forged code, or from another issuer, is refused", async () => {
    const one = await returned();
    one.at.searchParams.set("code", "forged");
    expect(await comeBack(one.at, one.cookie)).toEqual(failed);
    const two = await returned();
    two.at.searchParams.set("iss", "https://id.elsewhere.example");
    expect(await comeBack(two.at, two.cookie)).toEqual(failed);
  });

  test.each([
    ["https://elsewhere.example/console"],
    ["//elsewhere.example/console"],
    ["/\\elsewhere.example/console"],
    ["/consoles"],
    ["/api/operator/v1/imports"],
    ["/console/../api"],
    ["javascript:alert(1)"],
    [""],
  ])("never leads to %j", async (to) => {
    const done = await signIn(subject, { groups: ["portage-admins"] }, { to });
    expect(done.location).toBe("/console");
  });
});

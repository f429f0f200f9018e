import { beforeAll, describe, expect, test } from "vitest";
import { type Person, operatorUrl, useOperatorApi } from "../../../../test/support/operator-api.ts";
import { givenPartner } from "../../../../test/support/fixtures.ts";
import { setSuspended } from "../../features/partners/index.ts";
import { deleteOldInvitations, insertStaff } from "../../features/staff/index.ts";
import { totpCode, totpStep } from "../../features/staff/totp.ts";
import { newId } from "../../platform/ids.ts";
import { operatorBase } from "./base.ts";

const api = useOperatorApi();
const password = "correct horse battery";
let admin: Person;
beforeAll(async () => {
  admin = await api.person("admin");
});

const post = (path: string, body: object, headers: Record<string, string> = {}) =>
  api.ask(null, { method: "POST", path: `${operatorBase}${path}`, body, headers });

const invitation = async (staffId: string) => {
  const { json, status } = await api.ask(admin, {
    method: "POST",
    path: `${operatorBase}/staff/${staffId}/invitation`,
  });
  expect(status).toBe(200);
  const [address, token = ""] = (json as { url: string }).url.split("#");
  expect(address).toBe(`${operatorUrl}/console/enrol`);
  return token;
};

const cookieOf = (headers: { "set-cookie"?: string[] | undefined }) =>
  (headers["set-cookie"]?.[0] ?? "").split(";")[0] ?? "";

/** The next code that was not accepted yet: the test need not wait for the clock. */
const forgetStep = (staffId: string) =>
  api.db.pool.query("update staff_passwords set totp_step = 0 where staff_id = $1", [staffId]);

const codeOf = (secret: string, off = 0) => totpCode(secret, totpStep(Date.now()) + off);

const enrolled = async ({
  breakGlass = false,
  partnerId = null,
}: {
  readonly breakGlass?: boolean;
  readonly partnerId?: string | null;
} = {}) => {
  const id = newId("stf");
  const email = `${id}@Acme.example`;
  await insertStaff(api.db, id, {
    name: "Jo",
    email,
    role: partnerId === null ? "admin" : "partner",
    partner_id: partnerId,
    break_glass: breakGlass,
  });
  const token = await invitation(id);
  const opened = await post("/enrolment", { token });
  expect(opened).toMatchObject({
    status: 200,
    json: { name: "Jo", email, passkey: { rp: { id: "operator.portage.example" } } },
  });
  const { secret } = (opened.json as { totp: { secret: string; uri: string } }).totp;
  const done = await post("/enrolment/complete", { token, password, code: codeOf(secret) });
  expect(done.status, done.text).toBe(204);
  return { id, email, token, secret, cookie: cookieOf(done.headers) };
};

const session = (cookie: string) => api.ask(null, { path: `${operatorBase}/session`, headers: { cookie } });

const signIns = async (id: string) =>
  (
    await api.db.pool.query<{ action: string; outcome: string; staff_id: string | null; after: object }>(
      "select action, outcome, staff_id, after from staff_audit where target_id = $1 and action ~* 'signin$|^enrol$' order by seq",
      [id],
    )
  ).rows;

test("the ways to sign in are open to all", async () => {
  const answered = await api.ask(null, { path: `${operatorBase}/sign-in` });
  expect(answered).toMatchObject({ status: 200, json: { local: true, passkeys: true, oidc: null } });
});

describe("an invitation", () => {
  test("leads to a password, a session, and an entry in the audit log", async () => {
    const jo = await enrolled();
    expect(await session(jo.cookie)).toMatchObject({ status: 200, json: { signed_in_by: "local" } });
    expect(await signIns(jo.id)).toMatchObject([{ action: "enrol", outcome: "done", staff_id: jo.id }]);
  });

  test("works once, and for 24 hours", async () => {
    const jo = await enrolled();
    expect((await post("/enrolment", { token: jo.token })).status).toBe(404);
    const again = { token: jo.token, password, code: codeOf(jo.secret, 1) };
    expect((await post("/enrolment/complete", again)).status).toBe(404);
    const token = await invitation(jo.id);
    await api.db.pool.query("update staff_invitations set expires_at = now() where staff_id = $1", [jo.id]);
    expect((await post("/enrolment", { token })).status).toBe(404);
    expect(await deleteOldInvitations(api.db)).toBe(1);
    const replaced = await invitation(jo.id);
    const newest = await invitation(jo.id);
    expect((await post("/enrolment", { token: replaced })).status).toBe(404);
    expect((await post("/enrolment", { token: newest })).status).toBe(200);
  });

  test("of two at once is used by one", async () => {
    const person = await api.person("viewer");
    const token = await invitation(person.id);
    const { totp } = (await post("/enrolment", { token })).json as { totp: { secret: string } };
    const complete = () => post("/enrolment/complete", { token, password, code: codeOf(totp.secret) });
    const answers = await Promise.all([complete(), complete(), complete()]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 404, 404]);
  });

  test("is refused with a short password or a wrong code, and stays open", async () => {
    const person = await api.person("viewer");
    const token = await invitation(person.id);
    const { totp } = (await post("/enrolment", { token })).json as { totp: { secret: string } };
    const complete = (given: object) =>
      post("/enrolment/complete", { token, password, code: codeOf(totp.secret), ...given });
    expect(await complete({ password: "elevenchars" })).toMatchObject({
      status: 422,
      json: { password: ["must have at least 12 characters"] },
    });
    expect(await complete({ code: codeOf(totp.secret, 50) })).toMatchObject({ status: 422 });
    expect((await complete({})).status).toBe(204);
  });

  test("of a disabled person does not exist", async () => {
    const person = await api.person("viewer");
    const token = await invitation(person.id);
    await api.db.pool.query("update staff set disabled_at = now() where id = $1", [person.id]);
    expect((await post("/enrolment", { token })).status).toBe(404);
  });

  test("in place of a lost password ends the sessions of the old one", async () => {
    const jo = await enrolled();
    const token = await invitation(jo.id);
    const { totp } = (await post("/enrolment", { token })).json as { totp: { secret: string } };
    expect(totp.secret).not.toBe(jo.secret);
    const code = codeOf(totp.secret);
    expect((await post("/enrolment/complete", { token, password, code })).status).toBe(204);
    expect((await session(jo.cookie)).status).toBe(401);
  });
});

describe("a sign-in", () => {
  test("with the right parts opens a session, whatever the case of the address", async () => {
    const jo = await enrolled();
    await forgetStep(jo.id);
    const code = codeOf(jo.secret);
    const done = await post("/sign-in/local", { email: jo.email.toUpperCase(), password, code });
    expect(done.status).toBe(204);
    expect(done.headers["set-cookie"]?.[0]).toMatch(
      /^__Host-portage-staff=ptg_session_\w{40}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=43200; Secure$/,
    );
    expect((await session(cookieOf(done.headers))).status).toBe(200);
    expect((await signIns(jo.id)).at(-1)).toMatchObject({
      action: "signIn",
      outcome: "done",
      staff_id: jo.id,
    });
  });

  test("of a suspended partner's person is refused with the reason, by an invitation too", async () => {
    const { partner } = await givenPartner(api.db, { name: "Acme Desk" });
    const jo = await enrolled({ partnerId: partner.id });
    const token = await invitation(jo.id);
    await setSuspended(api.db, partner.id, true);
    const why = { error: { code: "forbidden", message: expect.stringMatching(/^Acme Desk is suspended/) } };
    const attempt = async (given: object) => {
      await forgetStep(jo.id);
      return post("/sign-in/local", { email: jo.email, password, code: codeOf(jo.secret), ...given });
    };
    expect(await attempt({})).toMatchObject({ status: 403, json: why });
    // Not to one who may be somebody else.
    expect((await attempt({ password: "wrong horse battery" })).status).toBe(401);
    expect((await signIns(jo.id)).slice(1)).toMatchObject([
      { action: "signIn", outcome: "forbidden", staff_id: null, after: { wrong: "partner suspended" } },
      { action: "signIn", outcome: "unauthorized", after: { wrong: "password" } },
    ]);
    expect(await post("/enrolment", { token })).toMatchObject({ status: 403, json: why });

    await setSuspended(api.db, partner.id, false);
    const { totp } = (await post("/enrolment", { token })).json as { totp: { secret: string } };
    const complete = () => post("/enrolment/complete", { token, password, code: codeOf(totp.secret) });
    await setSuspended(api.db, partner.id, true);
    expect(await complete()).toMatchObject({ status: 403, json: why });
    await setSuspended(api.db, partner.id, false);
    expect((await complete()).status).toBe(204);
  });

  test("accepts a code once, also of several at once", async () => {
    const jo = await enrolled();
    const attempt = () => post("/sign-in/local", { email: jo.email, password, code: codeOf(jo.secret) });
    // The code that the enrolment took.
    await api.db.pool.query("update staff_passwords set totp_step = $2 where staff_id = $1", [
      jo.id,
      totpStep(Date.now()) + 1,
    ]);
    expect((await attempt()).status).toBe(401);
    await forgetStep(jo.id);
    const code = codeOf(jo.secret);
    const same = () => post("/sign-in/local", { email: jo.email, password, code });
    const answers = await Promise.all([same(), same(), same()]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 401, 401]);
  });

  test("answers every wrong part with the same sentence, and the log knows which it was", async () => {
    const jo = await enrolled();
    await forgetStep(jo.id);
    const right = () => ({ email: jo.email, password, code: codeOf(jo.secret) });
    const wrong = [
      { email: "unknown@acme.example" },
      { password: "wrong horse battery" },
      { code: codeOf(jo.secret, 50) },
      { code: "" },
    ];
    const messages = [];
    for (const given of wrong) {
      const { status, json } = await post("/sign-in/local", { ...right(), ...given });
      expect(status).toBe(401);
      messages.push((json as { error: { message: string } }).error.message);
    }
    await api.db.pool.query("update staff set disabled_at = now() where id = $1", [jo.id]);
    const disabled = await post("/sign-in/local", right());
    expect(disabled.status).toBe(401);
    messages.push((disabled.json as { error: { message: string } }).error.message);
    expect(new Set(messages).size).toBe(1);
    const noted = (await signIns(jo.id)).slice(1);
    expect(
      noted.map(({ outcome, staff_id, after }) => [outcome, staff_id, (after as { wrong: string }).wrong]),
    ).toEqual(["password", "code", "code", "disabled"].map((part) => ["unauthorized", null, part]));
    expect(JSON.stringify(noted)).not.toContain("horse");
  });

  test("is refused after many attempts at one account, with the time to wait", async () => {
    const jo = await enrolled();
    const attempt = (email = jo.email) =>
      post("/sign-in/local", { email, password: "wrong horse battery", code: "000000" });
    // At once, as the limit is per minute.
    const answers = await Promise.all([
      ...Array.from({ length: 10 }, () => attempt()),
      attempt(jo.email.toUpperCase()),
    ]);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10);
    const refused = answers.find(({ status }) => status === 429);
    expect(Number(refused?.headers["retry-after"])).toBeGreaterThan(0);
    expect((await attempt("another@acme.example")).status).toBe(401);
  });

  test("can't be made by another site's page", async () => {
    const jo = await enrolled();
    await forgetStep(jo.id);
    const right = { email: jo.email, password, code: codeOf(jo.secret) };
    const forged = await post("/sign-in/local", right, { origin: "https://elsewhere.example" });
    expect(forged.status).toBe(403);
    expect((await post("/sign-in/local", right, { origin: operatorUrl })).status).toBe(204);
  });

  test("of the break-glass account has an action of its own, also with an enrolment", async () => {
    const jo = await enrolled({ breakGlass: true });
    // It opens a session as well.
    expect(await signIns(jo.id)).toMatchObject([
      { action: "breakGlassSignIn", outcome: "done", after: { enrolled: true } },
    ]);
    await forgetStep(jo.id);
    const done = await post("/sign-in/local", { email: jo.email, password, code: codeOf(jo.secret) });
    expect(done.status).toBe(204);
    expect((await signIns(jo.id)).at(-1)).toMatchObject({ action: "breakGlassSignIn", outcome: "done" });
    const listed = await api.ask(admin, { path: `${operatorBase}/audit?action=breakGlassSignIn` });
    expect((listed.json as { entries: object[] }).entries).toHaveLength(2);
  });
});

test("a password and its app's secret can't be read from the database", async () => {
  const jo = await enrolled();
  const { rows } = await api.db.pool.query("select p::text from staff_passwords p where staff_id = $1", [
    jo.id,
  ]);
  const text = JSON.stringify(rows);
  expect(text).not.toContain(password);
  expect(text).not.toContain(jo.secret);
  expect(text).not.toContain(Buffer.from(jo.secret).toString("hex"));
});

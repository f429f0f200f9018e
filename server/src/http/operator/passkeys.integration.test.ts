import { randomBytes } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { operatorUrl, type Person, useOperatorApi } from "../../../../test/support/operator-api.ts";
import { type Ceremony, createPasskey } from "../../../../test/support/passkey.ts";
import { hasPasskeys, passkeySignIn, signInWithPasskey } from "../../features/staff/index.ts";
import { createSealer, type KeyRing } from "../../platform/seal.ts";
import { operatorBase } from "./base.ts";

const api = useOperatorApi();
let admin: Person;
beforeAll(async () => {
  admin = await api.person("admin");
});

const rpId = new URL(operatorUrl).hostname;
const post = (path: string, body: object) =>
  api.ask(null, { method: "POST", path: `${operatorBase}${path}`, body });

const invitation = async (staffId: string) => {
  const { json } = await api.ask(admin, {
    method: "POST",
    path: `${operatorBase}/staff/${staffId}/invitation`,
  });
  return (json as { url: string }).url.split("#")[1] ?? "";
};

const registration = async (token: string): Promise<Ceremony> => {
  const { json } = await post("/enrolment", { token });
  const { passkey } = json as { passkey: { challenge: string; rp: { id: string } } };
  expect(passkey).toMatchObject({
    rp: { id: rpId },
    authenticatorSelection: { userVerification: "required", residentKey: "required" },
  });
  return { challenge: passkey.challenge, origin: operatorUrl, rpId };
};

const begin = async (): Promise<Ceremony> => {
  const { json } = await post("/sign-in/passkey/options", {});
  const { options } = json as { options: { challenge: string; rpId: string; userVerification: string } };
  expect(options).toMatchObject({ rpId, userVerification: "required" });
  return { challenge: options.challenge, origin: operatorUrl, rpId };
};

const cookieOf = (headers: { "set-cookie"?: string[] | undefined }) =>
  (headers["set-cookie"]?.[0] ?? "").split(";")[0] ?? "";
const session = (cookie: string) => api.ask(null, { path: `${operatorBase}/session`, headers: { cookie } });

const enrolled = async () => {
  const person = await api.person("operator");
  const passkey = createPasskey();
  const token = await invitation(person.id);
  const done = await post("/enrolment/complete", {
    token,
    passkey: passkey.register(await registration(token)),
  });
  expect(done.status, done.text).toBe(204);
  return { ...person, passkey, cookie: cookieOf(done.headers), invitation: token };
};

describe("a passkey", () => {
  test("is made by an invitation, and signs in", async () => {
    const jo = await enrolled();
    expect((await session(jo.cookie)).json).toMatchObject({ person: { id: jo.id }, signed_in_by: "passkey" });
    const done = await post("/sign-in/passkey", { response: jo.passkey.authenticate(await begin()) });
    expect(done.status, done.text).toBe(204);
    expect((await session(cookieOf(done.headers))).status).toBe(200);
    const { rows } = await api.db.pool.query(
      "select action, outcome, after from staff_audit where staff_id = $1 and action in ('enrol', 'signIn') order by seq",
      [jo.id],
    );
    expect(rows).toMatchObject([
      { action: "enrol", outcome: "done", after: { signed_in_by: "passkey" } },
      { action: "signIn", outcome: "done", after: { signed_in_by: "passkey" } },
    ]);
  });

  test("answers each challenge once, also of several at once", async () => {
    const jo = await enrolled();
    const response = jo.passkey.authenticate(await begin());
    const answers = await Promise.all([1, 2, 3].map(() => post("/sign-in/passkey", { response })));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 401, 401]);
  });

  test.each<[string, (asked: Ceremony) => Ceremony]>([
    ["for another site", (asked) => ({ ...asked, origin: "https://elsewhere.example" })],
    ["of another host", (asked) => ({ ...asked, rpId: "elsewhere.example" })],
    ["without its owner's finger, face or PIN", (asked) => ({ ...asked, verified: false })],
    ["to a challenge that is not ours", (asked) => ({ ...asked, challenge: "AAAA" })],
    [
      "to a challenge with another time",
      (asked) => {
        const [purpose, , ...rest] = Buffer.from(asked.challenge, "base64url").toString().split(".");
        const forged = [purpose, Date.now() + 5, ...rest].join(".");
        return { ...asked, challenge: Buffer.from(forged).toString("base64url") };
      },
    ],
  ])("is refused with an answer %s", async (_, forge) => {
    const jo = await enrolled();
    const answered = await post("/sign-in/passkey", {
      response: jo.passkey.authenticate(forge(await begin())),
    });
    expect(answered.status).toBe(401);
    const { rows } = await api.db.pool.query(
      "select outcome, after from staff_audit where target_id = $1 and staff_id is null",
      [jo.id],
    );
    expect(rows).toMatchObject([{ outcome: "unauthorized", after: { wrong: "answer" } }]);
  });

  test("is refused if it is unknown, another's, or its person is disabled", async () => {
    const [jo, kim] = [await enrolled(), await enrolled()];
    const attempt = async (response: object) => (await post("/sign-in/passkey", { response })).status;
    expect(await attempt(createPasskey().authenticate(await begin()))).toBe(401);
    expect(
      await attempt({ ...jo.passkey.authenticate(await begin()), id: kim.passkey.id, rawId: kim.passkey.id }),
    ).toBe(401);
    expect(await attempt({ id: jo.passkey.id })).toBe(401);
    await api.db.pool.query("update staff set disabled_at = now() where id = $1", [jo.id]);
    expect(await attempt(jo.passkey.authenticate(await begin()))).toBe(401);
  });

  test("is refused five minutes after the challenge", async () => {
    const jo = await enrolled();
    const response = jo.passkey.authenticate(await begin());
    const at = (later: number) =>
      signInWithPasskey(
        { db: api.db, sealer: api.sealer, operatorUrl, now: () => Date.now() + later },
        response,
      );
    expect(await at(5 * 60_000)).toMatchObject({ kind: "wrong", part: "answer" });
    expect(await at(0)).toMatchObject({ kind: "right" });
  });

  test("is accepted by a process with another current key, while the challenge's key is in its ring", async () => {
    const jo = await enrolled();
    const before = { id: "old", key: randomBytes(32) };
    const after = { id: "new", key: randomBytes(32) };
    const needs = (...ring: KeyRing) => ({
      db: api.db,
      sealer: createSealer(ring),
      operatorUrl,
    });
    const { challenge } = await passkeySignIn(needs(before));
    const response = jo.passkey.authenticate({ challenge, origin: operatorUrl, rpId });
    expect(await signInWithPasskey(needs(after), response)).toMatchObject({ kind: "wrong", part: "answer" });
    expect(await signInWithPasskey(needs(after, before), response)).toMatchObject({ kind: "right" });
  });

  test("can't be made with a forged answer, another's challenge, or a used invitation", async () => {
    const [person, other] = [await api.person("viewer"), await api.person("viewer")];
    const [token, otherToken] = [await invitation(person.id), await invitation(other.id)];
    const asked = await registration(token);
    const complete = async (ceremony: Ceremony) =>
      (await post("/enrolment/complete", { token, passkey: createPasskey().register(ceremony) })).status;
    expect(await complete({ ...asked, origin: "https://elsewhere.example" })).toBe(422);
    expect(await complete({ ...asked, verified: false })).toBe(422);
    expect(await complete(await registration(otherToken))).toBe(422);
    expect(await complete(await begin())).toBe(422);
    expect((await post("/enrolment/complete", { token })).status).toBe(422);
    expect(await complete(asked)).toBe(204);
    expect(await complete(asked)).toBe(404);
  });

  test("replaces what the person signed in with before", async () => {
    const jo = await enrolled();
    const token = await invitation(jo.id);
    const next = createPasskey();
    const done = await post("/enrolment/complete", {
      token,
      passkey: next.register(await registration(token)),
    });
    expect(done.status).toBe(204);
    expect(
      (await post("/sign-in/passkey", { response: jo.passkey.authenticate(await begin()) })).status,
    ).toBe(401);
    expect((await post("/sign-in/passkey", { response: next.authenticate(await begin()) })).status).toBe(204);
  });
});

test("browsers have passkeys for names, not for IP addresses", () => {
  expect(["https://operator.portage.example", "http://localhost:3001"].map(hasPasskeys)).toEqual([
    true,
    true,
  ]);
  expect(["http://127.0.0.1:3001", "http://[::1]:3001"].map(hasPasskeys)).toEqual([false, false]);
});

import { beforeAll, describe, expect, test } from "vitest";
import {
  consoleHeaders,
  operatorUrl,
  type Person,
  useOperatorApi,
} from "../../../../test/support/operator-api.ts";
import { patienceMs } from "../../../../test/support/patience.ts";
import {
  type AccountRole,
  createSessionLookup,
  deleteOldStaffSessions,
  openStaffSession,
  setStaffDisabled,
} from "../../features/staff/index.ts";
import { operatorBase } from "./base.ts";
import { isChange } from "./operation.ts";

const api = useOperatorApi();
let admin: Person;
beforeAll(async () => {
  admin = await api.person("admin");
});

const signedIn = async (role: Exclude<AccountRole, "partner"> = "admin") => {
  const person = await api.person(role);
  const { value, session } = await openStaffSession(api.db, {
    staffId: person.id,
    signedInBy: "local",
    address: "127.0.0.1",
  });
  return { ...person, cookie: `__Host-portage-staff=${value.reveal()}`, value, sessionId: session.id };
};

const session = { path: `${operatorBase}/session` };

describe("a browser's session", () => {
  test("says who is signed in, how and until when, and is in the audit log", async () => {
    const jo = await signedIn("viewer");
    const { status, json, headers } = await api.ask(jo, session);
    expect(status).toBe(200);
    expect(json).toMatchObject({
      person: { id: jo.id, role: "viewer", partner: null },
      signed_in_by: "local",
      token: null,
    });
    const left = Date.parse((json as { expires_at: string }).expires_at) - Date.now();
    expect(Math.round(left / 3_600_000)).toBe(12);
    const { rows } = await api.db.pool.query("select * from staff_audit where request_id = $1", [
      headers["x-request-id"],
    ]);
    expect(rows).toMatchObject([
      { action: "showSession", staff_id: jo.id, session_id: jo.sessionId, token_id: null, role: "viewer" },
    ]);
  });

  test("does what its person's role allows now", async () => {
    const jo = await signedIn("operator");
    const audit = { path: `${operatorBase}/audit` };
    expect((await api.ask(jo, audit)).status).toBe(200);
    const kim = await signedIn("viewer");
    expect((await api.ask(kim, audit)).status).toBe(403);
  });

  test.each([
    ["revoked", "update staff_sessions set revoked_at = now() where staff_id = $1"],
    ["expired", "update staff_sessions set expires_at = now() where staff_id = $1"],
    ["idle", "update staff_sessions set idle_at = now() where staff_id = $1"],
    ["of a disabled person", "update staff set disabled_at = now() where id = $1"],
  ])("%s is refused", async (_, sql) => {
    const jo = await signedIn();
    await api.db.pool.query(sql, [jo.id]);
    expect((await api.ask(jo, session)).status).toBe(401);
  });

  test("goes on with every call, up to its end", async () => {
    const jo = await signedIn();
    const idle = async () =>
      (
        await api.db.pool.query<{ at: Date; end: Date }>(
          "select idle_at as at, expires_at as end from staff_sessions where staff_id = $1",
          [jo.id],
        )
      ).rows[0];
    await api.db.pool.query(
      "update staff_sessions set idle_at = now() + interval '5 minutes' where staff_id = $1",
      [jo.id],
    );
    const before = await idle();
    expect(await createSessionLookup(api.db)(jo.value.reveal())).toMatchObject({ staffId: jo.id });
    const after = await idle();
    expect(after?.at.getTime()).toBeGreaterThan((before?.at.getTime() ?? 0) + 50 * 60_000);
    expect(after?.end).toEqual(before?.end);
  });

  test("is trusted for less than 5 seconds without the database", async () => {
    let now = Date.now();
    const find = createSessionLookup(api.db, () => now);
    const jo = await signedIn();
    expect(await find(jo.value.reveal())).toMatchObject({ staffId: jo.id });
    await setStaffDisabled(api.db, jo.id, true);
    now += 4_999;
    expect(await find(jo.value.reveal())).toBeUndefined();
    // Enabled again, the person signs in anew.
    await setStaffDisabled(api.db, jo.id, false);
    expect(await find(jo.value.reveal())).toBeUndefined();
  });

  test("ends when the person signs out, and the browser forgets it", { timeout: patienceMs }, async () => {
    const jo = await signedIn("viewer");
    const { status, headers } = await api.ask(jo, { method: "DELETE", ...session });
    expect(status).toBe(204);
    expect(headers["set-cookie"]).toEqual([
      "__Host-portage-staff=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0; Secure",
    ]);
    await expect.poll(async () => (await api.ask(jo, session)).status, { timeout: patienceMs }).toBe(401);
  });

  test("is listed for admins, without its cookie, and can be ended", async () => {
    const jo = await signedIn();
    const path = `${operatorBase}/staff/${jo.id}/sessions`;
    const listed = await api.ask(admin, { path });
    expect(listed.json).toMatchObject({ sessions: [{ id: jo.sessionId, revoked_at: null }] });
    expect(listed.text).not.toContain("ptg_session_");
    const revoke = (body: object) => api.ask(admin, { method: "POST", path: `${path}/revoke`, body });
    expect((await revoke({ session_id: (await signedIn()).sessionId })).status).toBe(404);
    expect((await revoke({ session_id: jo.sessionId })).json).toEqual({ revoked: 1 });
    expect((await revoke({})).json).toEqual({ revoked: 0 });
    expect(await createSessionLookup(api.db)(jo.value.reveal())).toBeUndefined();
  });

  test("is deleted 30 days after its end", async () => {
    const jo = await signedIn();
    const ended = (days: number) =>
      api.db.pool.query(
        "update staff_sessions set expires_at = now() - make_interval(days => $1) where id = $2",
        [days, jo.sessionId],
      );
    await ended(29);
    expect(await deleteOldStaffSessions(api.db)).toBe(0);
    await ended(31);
    expect(await deleteOldStaffSessions(api.db)).toBe(1);
  });
});

describe("a change with a cookie", () => {
  const changes = api.operations.filter(isChange);
  test.each(changes.map(({ id, method, path }) => [id, method, path]))(
    "%s is refused unless the console's own pages send it, and the attempt is in the log",
    async (id, method, path) => {
      const jo = await signedIn();
      const sent = { method, path: `${operatorBase}${path.replace(":id", "none")}`, body: {} };
      const { origin: _, ...withoutOrigin } = consoleHeaders;
      for (const headers of [
        { cookie: jo.cookie },
        { cookie: jo.cookie, ...withoutOrigin },
        { cookie: jo.cookie, origin: operatorUrl },
        { cookie: jo.cookie, ...consoleHeaders, origin: "https://elsewhere.example" },
        { cookie: jo.cookie, ...consoleHeaders, origin: `${operatorUrl}.elsewhere.example` },
        { cookie: jo.cookie, ...consoleHeaders, origin: "null" },
      ])
        expect((await api.ask(null, { ...sent, headers })).status).toBe(403);
      const { rows } = await api.db.pool.query(
        "select distinct action, outcome from staff_audit where staff_id = $1",
        [jo.id],
      );
      expect(rows).toEqual([{ action: id, outcome: "forbidden" }]);
    },
  );
});

test("a token is not taken for a cookie, nor the other way round", async () => {
  const jo = await signedIn();
  const ask = (headers: Record<string, string>) => api.ask(null, { ...session, headers });
  expect((await ask({ cookie: `__Host-portage-staff=${jo.token}` })).status).toBe(401);
  expect((await ask({ authorization: `Bearer ${jo.value.reveal()}` })).status).toBe(401);
  expect((await ask({ cookie: jo.cookie.replace("__Host-", "") })).status).toBe(401);
});

import { type StatusCode, statusCodes } from "@portage/contract";
import { describe, expect, test } from "vitest";
import { givenMoney } from "../support/money.ts";
import { created, live, useApi } from "./api.ts";

const api = useApi();

const decide = (token: string, id: string, decision: "accept" | "reject") =>
  api.ask({ method: "POST", path: `${live}/imports/${id}/payment/${decision}`, token });

const shown = async (token: string, id: string) =>
  (await api.ask({ path: `${live}/imports/${id}`, token })).json as { status: string; sponsorship: string };

const running: Partial<Record<StatusCode, string>> = {
  sample_in_progress: "sample",
  migration_in_progress: "full",
  undo_in_progress: "undo",
};

/** Sets the state that a test needs; the state machine's own tests show that it is reachable. */
const put = (id: string, status: StatusCode, columns: Record<string, unknown> = {}) => {
  const set = { status, sample_copy: "all", live_run: running[status] ?? null, ...columns };
  const names = Object.keys(set);
  return api.db.pool.query(
    `update imports set ${names.map((name, i) => `${name} = $${i + 2}`).join(", ")} where id = $1`,
    [id, ...Object.values(set)],
  );
};

describe.each(statusCodes)("in %s", (status) => {
  test.each(["customer", "partner_decides", "partner"] as const)(
    "accept and reject work, payer %s",
    async (payer) => {
      const { token } = await api.partner({ payer });
      const { id } = await created(api, token);
      await put(id, status, { sponsorship: "undecided" });
      expect((await decide(token, id, "accept")).status).toBe(200);
      expect((await shown(token, id)).sponsorship).toBe("accepted");
      expect((await decide(token, id, "accept")).status).toBe(200);
      expect((await decide(token, id, "reject")).status).toBe(200);
      expect((await decide(token, id, "reject")).status).toBe(200);
      expect((await shown(token, id)).sponsorship).toBe("rejected");
    },
  );

  test("rejecting after the start of the sponsored full migration is 422 and changes nothing", async () => {
    const { token } = await api.partner();
    const { id } = await created(api, token);
    await put(id, status, { sponsorship: "accepted", sponsored_full_started: true });
    const before = await shown(token, id);
    const { status: answered, json } = await decide(token, id, "reject");
    expect(answered).toBe(422);
    expect(json).toEqual({ base: ["The full migration has already started."] });
    expect(await shown(token, id)).toEqual(before);
  });
});

test("accepting after the customer's request moves on; rejecting moves back", async () => {
  const { token } = await api.partner();
  const { id } = await created(api, token);
  await put(id, "sample_completed", { asked: true });
  await decide(token, id, "accept");
  expect((await shown(token, id)).status).toBe("In preparation");
  await decide(token, id, "reject");
  expect((await shown(token, id)).status).toBe("Sample migration completed");
});

test("accepting after the customer's payment has no effect, and rejecting takes nothing away", async () => {
  const { token } = await api.partner();
  const { id } = await created(api, token);
  await put(id, "in_preparation", { asked: true });
  await givenMoney(api.db, id, 34_900, "charge");
  expect((await decide(token, id, "accept")).status).toBe(200);
  expect(await shown(token, id)).toMatchObject({ status: "In preparation", sponsorship: "undecided" });
  expect((await decide(token, id, "reject")).status).toBe(200);
  expect(await shown(token, id)).toMatchObject({ status: "In preparation", sponsorship: "rejected" });
});

test("start_full and the payer “partner” sponsor the import from the start", async () => {
  const sponsoring = await api.partner({ payer: "partner" });
  const always = await created(api, sponsoring.token);
  expect((await shown(sponsoring.token, always.id)).sponsorship).toBe("accepted");
  const { token } = await api.partner();
  const once = await created(api, token, { start_full: true });
  expect((await shown(token, once.id)).sponsorship).toBe("accepted");
});

test("the audit log has every decision with its actor", async () => {
  const { token, partner } = await api.partner();
  const { id } = await created(api, token);
  await decide(token, id, "accept");
  await decide(token, id, "accept");
  const { rows } = await api.db.pool.query(
    "select seq, event->>'type' as type, actor from audit where import_id = $1 order by seq",
    [id],
  );
  const actor = `partner:${partner.id}`;
  expect(rows).toEqual([
    { seq: 1, type: "created", actor },
    { seq: 2, type: "sponsorship_accepted", actor },
  ]);
});

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createPreflightFixture, type PreflightOptions } from "../../../../test/runs/preflight-fixture.ts";
import {
  archiveIdleImports,
  cancelSchedule,
  findSchedule,
  runScheduledStarts,
  scheduleStart,
} from "../imports/index.ts";

let fixture: Awaited<ReturnType<typeof createPreflightFixture>>;
beforeAll(async () => {
  fixture = await createPreflightFixture();
});
afterAll(() => fixture.drop());

const inMs = (ms: number) => ({ startsAt: new Date(Date.now() + ms), timeZone: "Europe/Berlin" });
const hourMs = 3_600_000;

/** An import whose customer starts it by hand, with an address for mails. */
const begin = async (options: PreflightOptions = {}) => {
  const all = await fixture.begin(options);
  const { importId } = all;
  await all.dispatched();
  await fixture.db.pool.query("update imports set start_full = false where id = $1", [importId]);
  await fixture.db.pool.query(
    "insert into mail_addresses (import_id, sealed, language) values ($1, 'sealed', 'en')",
    [importId],
  );
  return {
    ...all,
    plan: (ms: number) => scheduleStart(fixture.db, importId, inMs(ms)),
    /** As if the time had come. */
    isTime: () =>
      fixture.db.pool.query(
        "update scheduled_starts set starts_at = now() - interval '1 second' where import_id = $1",
        [importId],
      ),
    turn: runScheduledStarts(fixture.db),
    schedule: () => findSchedule(fixture.db.sql, importId),
    startsPlanned: async () => {
      const { rows } = await fixture.db.pool.query(
        "select from outbox where import_id = $1 and effect ->> 'planned' = 'true'",
        [importId],
      );
      return rows.length;
    },
    mails: async () => {
      const { rows } = await fixture.db.pool.query<{ mail: string }>(
        "select occasion || ' ' || split_part(about, ' ', 2) || (case when occasion = 'needs_you' then about else '' end) as mail from mails where import_id = $1 order by created_at, id",
        [importId],
      );
      return rows.map(({ mail }) => mail);
    },
  };
};

test("a planned start happens once, at its time, however many workers look and however often", async () => {
  const one = await begin();
  expect(await one.plan(2 * hourMs)).toMatchObject({ kind: "scheduled", schedule: { state: "waiting" } });
  await one.turn();
  expect(await one.startsPlanned()).toBe(0);
  expect((await one.state())?.status).toBe("in_preparation");
  await one.isTime();
  await Promise.all([one.turn(), one.turn(), one.turn()]);
  await one.turn();
  expect(await one.startsPlanned()).toBe(1);
  expect(await one.schedule()).toMatchObject({ state: "due" });
  // The effect is delivered at least once: a second delivery starts nothing.
  await one.start({ planned: true });
  expect((await one.state())?.status).toBe("migration_in_progress");
  await one.start({ planned: true });
  expect(await one.runsAskedFor()).toBe(1);
  expect(await one.schedule()).toBeUndefined();
});

test("a late delivery after the run has failed does not start it again", async () => {
  const one = await begin();
  await one.plan(hourMs);
  await one.isTime();
  await one.turn();
  await one.start({ planned: true });
  await one.move({ type: "run_failed", wrote: false });
  expect((await one.state())?.status).toBe("in_preparation");
  await one.start({ planned: true });
  expect((await one.state())?.status).toBe("in_preparation");
  expect(await one.runsAskedFor()).toBe(1);
});

test("the plan can be changed and taken back until the move starts, also during the checks", async () => {
  const one = await begin();
  await one.plan(hourMs);
  await one.plan(3 * hourMs);
  expect(await one.schedule()).toMatchObject({ revision: 2, state: "waiting" });
  await one.isTime();
  await one.turn();
  expect(await cancelSchedule(fixture.db, one.importId)).toBe(true);
  expect(await cancelSchedule(fixture.db, one.importId)).toBe(false);
  await one.start({ planned: true });
  expect((await one.state())?.status).toBe("in_preparation");
  expect(await one.runsAskedFor()).toBe(0);
});

test("a plan that was changed while the checks of the old one run does not start early", async () => {
  const one = await begin();
  await one.plan(hourMs);
  await one.isTime();
  await one.turn();
  await one.plan(5 * hourMs);
  await one.start({ planned: true });
  expect((await one.state())?.status).toBe("in_preparation");
  expect(await one.schedule()).toMatchObject({ state: "waiting" });
});

describe("mails", () => {
  test("one an hour before; at once if there is less; another after a change", async () => {
    const one = await begin();
    await one.plan(2 * hourMs);
    await one.turn();
    expect(await one.mails()).toEqual([]);
    await one.plan(hourMs / 2);
    await Promise.all([one.turn(), one.turn()]);
    expect(await one.mails()).toEqual(["starts_soon Europe/Berlin"]);
    await one.turn();
    expect(await one.mails()).toHaveLength(1);
    await one.plan(hourMs / 3);
    await one.turn();
    expect(await one.mails()).toHaveLength(2);
  });
});

describe("does not start", () => {
  test("if a sign-in has expired: the customer hears that it did not start", async () => {
    const one = await begin();
    await one.plan(hourMs * 2);
    one.source.revoke(one.source.token);
    await one.isTime();
    await one.turn();
    await one.start({ planned: true });
    expect((await one.state())?.status).toBe("in_preparation");
    expect(await one.schedule()).toMatchObject({ state: "missed", missedBecause: "source_sign_in" });
    expect((await one.mails()).at(-1)).toBe("needs_you start_missed");
    expect((await one.mails()).filter((mail) => mail.startsWith("needs_you"))).toHaveLength(1);
    await one.turn();
    expect(await one.startsPlanned()).toBe(1);
    // Another time can be planned.
    expect(await one.plan(hourMs)).toMatchObject({ kind: "scheduled", schedule: { state: "waiting" } });
  });

  test.each(["cancelled", "archived"] as const)(
    "if the import was %s, and the plan goes with it",
    async (type) => {
      const one = await begin();
      await one.plan(hourMs);
      await one.isTime();
      await one.move({ type });
      expect(await one.schedule()).toBeUndefined();
      await one.turn();
      expect(await one.startsPlanned()).toBe(0);
      expect(await one.plan(hourMs)).toEqual({ kind: "missing" });
    },
  );

  test("if the partner no longer pays: the plan says so", async () => {
    const one = await begin();
    await one.plan(hourMs);
    await one.move({ type: "sponsorship_rejected" });
    expect(await one.schedule()).toMatchObject({ state: "missed", missedBecause: "unpaid" });
    await one.isTime();
    await one.turn();
    expect(await one.startsPlanned()).toBe(0);
    expect(await one.plan(hourMs)).toMatchObject({ kind: "refused" });
    expect(await one.mails()).toEqual(["needs_you sponsorship_rejected"]);
  });

  test("if the payment is refunded: the plan and a mail say so", async () => {
    const one = await begin();
    await one.plan(hourMs);
    // Paid by the customer, not by the partner.
    await fixture.db.pool.query("update imports set sponsorship = 'undecided' where id = $1", [one.importId]);
    await one.move({ type: "refunded" });
    expect(await one.schedule()).toMatchObject({ state: "missed", missedBecause: "unpaid" });
    expect((await one.mails()).at(-1)).toBe("needs_you start_missed");
  });

  test("twice: a start by hand takes the plan with it", async () => {
    const one = await begin();
    await one.plan(hourMs);
    await one.move({ type: "full_started" });
    expect(await one.schedule()).toBeUndefined();
    await one.turn();
    expect(await one.runsAskedFor()).toBe(1);
  });
});

describe("an import that starts by itself", () => {
  const givenPlan = async () => {
    const one = await begin();
    await fixture.db.pool.query("update imports set start_full = true where id = $1", [one.importId]);
    await one.plan(5 * hourMs);
    return one;
  };

  test("waits for the time that the customer planned, also if a start was under way or a side connects again", async () => {
    const one = await givenPlan();
    await one.start();
    await one.move({ type: "connected", side: "source" });
    await one.start();
    expect((await one.state())?.status).toBe("in_preparation");
    expect(await one.schedule()).toMatchObject({ state: "waiting" });
    await one.isTime();
    await one.turn();
    await one.start({ planned: true });
    expect((await one.state())?.status).toBe("migration_in_progress");
    expect(await one.runsAskedFor()).toBe(1);
  });

  test("does not go on by itself after a missed start", async () => {
    const one = await givenPlan();
    await one.isTime();
    await one.turn();
    await one.move({ type: "attention_required", reason: "source_sign_in" });
    expect(await one.schedule()).toMatchObject({ state: "missed" });
    await one.move({ type: "connected", side: "source" });
    await one.start();
    expect((await one.state())?.status).toBe("in_preparation");
    expect(await one.runsAskedFor()).toBe(0);
  });
});

test("checks that fail after the customer took the plan back send no mail and no warning", async () => {
  let cancel = async () => {};
  const one = await begin({
    destination: { plan: { tickets: 2 } },
    adapt: (connector) => ({
      ...connector,
      check: async (io) => {
        await cancel();
        return connector.check(io);
      },
    }),
  });
  const events = async () =>
    (await fixture.db.pool.query("select from events where import_id = $1", [one.importId])).rows.length;
  await one.plan(hourMs);
  await one.isTime();
  await one.turn();
  const before = await events();
  let isCancelled = false;
  cancel = async () => {
    isCancelled ||= await cancelSchedule(fixture.db, one.importId);
  };
  await one.start({ planned: true });
  expect(isCancelled).toBe(true);
  expect(await events()).toBe(before);
  expect(await one.mails()).toEqual([]);
});

test("a start that fails keeps no other from its time", async () => {
  const broken = await begin();
  const one = await begin();
  await broken.plan(hourMs);
  await broken.isTime();
  await one.plan(hourMs);
  await one.isTime();
  await fixture.db.pool.query(`
    create function fail_one() returns trigger language plpgsql as
      $$ begin if new.import_id = '${broken.importId}' then raise 'broken'; end if; return new; end $$;
    create trigger fail_one before update on scheduled_starts for each row execute function fail_one()`);
  try {
    await expect(one.turn()).rejects.toThrow("Planned starts failed");
    expect(await one.startsPlanned()).toBe(1);
    expect(await broken.startsPlanned()).toBe(0);
  } finally {
    await fixture.db.pool.query("drop trigger fail_one on scheduled_starts; drop function fail_one");
  }
  await one.turn();
  expect(await broken.startsPlanned()).toBe(1);
});

test("an import with a plan is not idle", async () => {
  const one = await begin();
  await one.plan(hourMs);
  await fixture.db.pool.query("update imports set active_at = now() - interval '500 days' where id = $1", [
    one.importId,
  ]);
  await archiveIdleImports(fixture.db);
  expect((await one.state())?.closed).toBeNull();
  await cancelSchedule(fixture.db, one.importId);
  await archiveIdleImports(fixture.db);
  expect((await one.state())?.closed).toBe("archived");
});

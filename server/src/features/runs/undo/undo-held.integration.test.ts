import { type Connector, ConnectorError } from "@portage/connector-kit";
import { describe, expect, test } from "vitest";
import { copiesOf, plain, useKinds } from "../../../../../test/runs/kinds-fixture.ts";
import type { ChunkToSend } from "../run.ts";

const { given, database } = useKinds();
type One = Awaited<ReturnType<typeof given>>["one"];

const unpaid = () =>
  new ConnectorError({ recovery: "abort", code: "payment_required", message: "Acme Desk wants to be paid." });
const away = () =>
  new ConnectorError({ recovery: "retry", code: "unavailable", message: "Acme Desk does not answer." });
const bug = () => new Error("A bug.");

/** The same tool, but removing fails while there is an error to throw. */
const holding = (error: () => Error | null): Connector => {
  const connector = plain();
  const streams = (connector.destination?.helpdesk ?? []).map((stream) => ({
    ...stream,
    remove: async (...args: Parameters<NonNullable<typeof stream.remove>>) => {
      const thrown = error();
      if (thrown) throw thrown;
      return (await stream.remove?.(...args)) ?? [];
    },
  }));
  return { ...connector, destination: { helpdesk: streams } };
};

const stepOf = async (one: One, chunks: readonly ChunkToSend[]): Promise<readonly ChunkToSend[]> =>
  (
    await Promise.all(
      chunks.map((chunk) => one.runs.workChunk(chunk, { signal: AbortSignal.timeout(60_000) })),
    )
  ).flatMap(({ send }) => send);

const warningsOf = async ({ importId }: One) =>
  (
    await database().query<{ code: string; stream: string; message: string }>(
      "select code, stream, message from import_warnings where import_id = $1",
      [importId],
    )
  ).rows;
const mailsOf = async ({ importId }: One) =>
  (
    await database().query(
      "select 1 from events where import_id = $1 and type = 'import.attention_required'",
      [importId],
    )
  ).rows.length;
const importOf = async ({ importId }: One) =>
  (
    await database().query<{ liveRun: string | null; closed: string | null }>(
      `select live_run as "liveRun", closed from imports where id = $1`,
      [importId],
    )
  ).rows[0];

/** No request of a batch is in flight any more, and the tool has failed for this long. */
const later = ({ importId }: One, { failingHours = 0, failures = 0 } = {}) =>
  database().query(
    `update partitions set batch_deadline = case when batch_ids is null then null else now() - interval '5 min' end,
       failing_since = case when $2::float8 > 0 then now() - $2 * interval '1 h' else failing_since end,
       failures = greatest(failures, $3)
     where import_id = $1 and state = 'running'`,
    [importId, failingHours, failures],
  );

/** An undo that has met the error this many times. */
const givenHeldUndo = async (
  error: () => Error,
  { times = 3, ...since }: { times?: number; failingHours?: number; failures?: number } = {},
) => {
  let met = 0;
  let isHeld = true;
  const connector = holding(() => {
    met += isHeld ? 1 : 0;
    return isHeld ? error() : null;
  });
  const { one, destination } = await given({ connector });
  await one.run({ type: "full_started" });
  await one.move({ type: "undo_started" });
  let chunks = await one.dispatch();
  const delays: number[] = [];
  for (let before = 0; met < times; before = met) {
    await later(one, since);
    chunks = await stepOf(one, chunks);
    if (met > before) delays.push(...chunks.map(({ delayMs }) => delayMs));
    expect(chunks.length).toBeGreaterThan(0);
  }
  return {
    one,
    destination,
    chunks,
    delays,
    letGo: () => {
      isHeld = false;
    },
  };
};

describe("an undo whose tool refuses", () => {
  test.each([
    ["a permanent error", unpaid, {}, "Acme Desk wants to be paid."],
    ["a day of outage", away, { failingHours: 25 }, "Acme Desk does not answer."],
    ["a bug of ours", bug, { failures: 20 }, "on our side"],
  ])(
    "%s: it is postponed and notifies once, and continues when the tool answers",
    async (_, error, since, cause) => {
      const { one, destination, chunks, delays, letGo } = await givenHeldUndo(error, since);
      expect(await one.status()).toBe("undo_in_progress");
      for (const delayMs of delays) {
        expect(delayMs).toBeGreaterThan(500);
        expect(delayMs).toBeLessThan(10 * 60_000);
      }
      expect(await warningsOf(one)).toEqual([
        { code: "action_required", stream: "undo", message: expect.stringContaining(cause) as unknown },
      ]);
      expect(await mailsOf(one)).toBe(1);
      letGo();
      await later(one);
      await one.work(chunks.map((chunk) => ({ ...chunk, delayMs: 0 })));
      expect(await one.status()).toBe("migration_cleaned");
      expect(copiesOf(destination, "tickets")).toEqual([]);
      expect(await warningsOf(one)).toEqual([]);
    },
  );

  test("a short outage notifies no one", async () => {
    const { one } = await givenHeldUndo(away);
    expect(await one.status()).toBe("undo_in_progress");
    expect(await mailsOf(one)).toBe(0);
  });

  test("of a cancelled import, it ends without a sign-in: no sign-in is possible any more", async () => {
    const { one } = await given();
    await one.run({ type: "full_started" });
    await one.move({ type: "undo_started" });
    const chunks = await one.dispatch();
    await one.move({ type: "cancelled" });
    one.gone.add("destination");
    await one.work([...chunks, ...(await one.dispatch())]);
    expect(await importOf(one)).toEqual({ liveRun: null, closed: "cancelled" });
  });

  test("of a cancelled import, it ends after a day: no person can help, and the sign-ins must go", async () => {
    const { one, chunks } = await givenHeldUndo(unpaid);
    await one.move({ type: "cancelled" });
    let next = await stepOf(one, [...chunks, ...(await one.dispatch())]);
    await later(one);
    next = await stepOf(one, next);
    expect(await importOf(one)).toEqual({ liveRun: "undo", closed: "cancelled" });
    for (let n = 0; n < 10 && next.length > 0; n += 1) {
      await later(one, { failingHours: 25, failures: 10 });
      next = await stepOf(one, next);
    }
    expect(await importOf(one)).toEqual({ liveRun: null, closed: "cancelled" });
    expect(
      (await one.ledger()).filter(({ stream, reason }) => stream === "tickets" && reason !== null),
    ).toEqual([]);
  });
});

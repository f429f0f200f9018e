import { type Connector, ConnectorError, type DestinationStream } from "@portage/connector-kit";
import { describe, expect, test } from "vitest";
import { copiesOf, plain, total, useKinds } from "../../../../../test/runs/kinds-fixture.ts";
import { asItIs } from "../../../../../test/runs/runs-fixture.ts";
import type { ChunkToSend } from "../run.ts";

const { given, database } = useKinds();
type One = Awaited<ReturnType<typeof given>>["one"];
type Fault = () => Error;

const away: Fault = () =>
  new ConnectorError({ recovery: "retry", code: "unavailable", message: "Acme Desk does not answer." });
const unpaid: Fault = () =>
  new ConnectorError({ recovery: "abort", code: "payment_required", message: "Acme Desk wants to be paid." });
const bug: Fault = () => new Error("A bug.");

interface Switch {
  hasLeft: boolean;
  unanswered: number;
  fault: Fault | null;
}

/** The first records of a stream take effect without an answer; then every call to the tool fails at `where`. */
const leaving = (where: "open" | "find", fault: Fault, at: Switch, first = "tickets"): Connector => {
  const connector = plain();
  const ask = () => {
    if (at.fault) throw at.fault();
  };
  const streams = (connector.destination?.helpdesk ?? []).map(
    (stream): DestinationStream => ({
      ...stream,
      find: async (...args) => {
        ask();
        return stream.find(...args);
      },
      write: async (...args) => {
        const outcomes = await stream.write(...args);
        if (stream.stream.name !== first || at.hasLeft) return outcomes;
        at.hasLeft = true;
        at.unanswered = outcomes.length;
        at.fault = fault;
        return outcomes.map(() => ({ kind: "unknown", why: "No answer." }));
      },
    }),
  );
  return {
    ...connector,
    get destination() {
      if (where === "open") ask();
      return { helpdesk: streams };
    },
  };
};

const stepOf = async (one: One, chunks: readonly ChunkToSend[]): Promise<readonly ChunkToSend[]> =>
  (
    await Promise.all(
      chunks.map((chunk) => one.runs.workChunk(chunk, { signal: AbortSignal.timeout(60_000) })),
    )
  ).flatMap(({ send }) => send);

/** Of several chunks for the same partition, an earlier one ends without effect. */
const newest = (chunks: readonly ChunkToSend[]): readonly ChunkToSend[] =>
  chunks.filter(({ partition, generation }) =>
    chunks.every((other) => other.partition !== partition || other.generation <= generation),
  );

/** Pretends that the deadline of every batch in doubt, and the tool's grace, have passed. */
const rest = ({ importId }: One) =>
  database().query(
    "update partitions set batch_deadline = now() - interval '5 min' where import_id = $1 and batch_ids is not null",
    [importId],
  );

/** Works until there is nothing more to send, and answers the delays; fails after `most` chunks. */
const workOut = async (one: One, first: readonly ChunkToSend[], most: number) => {
  const delays: number[] = [];
  let chunks = first;
  for (let n = 0; chunks.length > 0; n += 1) {
    if (n === most) throw new Error(`After ${most} chunks the run had not ended.`);
    chunks = await stepOf(one, chunks);
    delays.push(...chunks.map(({ delayMs }) => delayMs));
    await rest(one);
  }
  return delays;
};

const givenLeaving = async (where: "open" | "find", fault: Fault, first?: string) => {
  const at: Switch = { hasLeft: false, unanswered: 0, fault: null };
  const { one, destination } = await given({ connector: leaving(where, fault, at, first) });
  await one.move({ type: "full_started" });
  let chunks = await one.dispatch();
  for (let n = 0; !at.hasLeft; n += 1) {
    expect(n).toBeLessThan(20);
    chunks = await stepOf(one, chunks);
  }
  const { unanswered } = at;
  expect(unanswered).toBeGreaterThan(0);
  return { one, destination, chunks, unanswered, comesBack: () => (at.fault = null) };
};

const places = ["open", "find"] as const;
const faults = { away, unpaid, bug };
const cases = places.flatMap((where) =>
  (Object.keys(faults) as (keyof typeof faults)[]).map((fault) => ({ where, fault })),
);

describe("a run that must end while its tool is unreachable", () => {
  test.each(cases)(
    "$fault, noticed at $where: stopped, it leaves its batch in doubt and ends",
    async ({ where, fault }) => {
      const { one, chunks, unanswered } = await givenLeaving(where, faults[fault]);
      await one.move({ type: "stop_requested" });
      const sent = newest([...chunks, ...(await one.dispatch())]);
      const delays = await workOut(one, sent, 12);
      for (const delayMs of delays) expect(delayMs).toBeGreaterThan(0);
      expect(await one.status()).toBe("in_preparation");
      expect(await one.ledger()).toContainEqual({
        stream: "tickets",
        state: 4,
        reason: "in_doubt",
        n: unanswered,
      });
    },
  );

  test("it waits for requests that may still take effect before it ends", async () => {
    const { one, chunks } = await givenLeaving("open", unpaid);
    await one.move({ type: "stop_requested" });
    const [next] = await stepOf(one, newest([...chunks, ...(await one.dispatch())]));
    expect(next?.delayMs).toBeGreaterThan(50_000);
    expect(await one.status()).toBe("migration_in_progress");
  });

  test("failed by a permanent error, it ends with the tool still away", async () => {
    const { one, chunks } = await givenLeaving("find", unpaid);
    const delays = await workOut(one, chunks, 12);
    for (const delayMs of delays) expect(delayMs).toBeGreaterThan(0);
    expect(await one.status()).toBe("in_preparation");
  });

  test("cancelled, it ends, and its sign-ins can go", async () => {
    const { one, chunks } = await givenLeaving("find", away);
    await one.move({ type: "cancelled" });
    await workOut(one, newest([...chunks, ...(await one.dispatch())]), 12);
    const { rows } = await database().query("select live_run from imports where id = $1", [one.importId]);
    expect(rows).toEqual([{ live_run: null }]);
  });

  test("possible copies can be undone, even if there are no others", async () => {
    const { one, destination, chunks, comesBack } = await givenLeaving("find", unpaid, "users");
    expect(destination.stats().written).toBeGreaterThan(0);
    await workOut(one, chunks, 12);
    expect(await one.status()).toBe("in_preparation");
    comesBack();
    await one.run({ type: "undo_started" });
    expect(await one.status()).toBe("migration_cleaned");
  });

  test("a person who was matched, and was copied without an answer, is looked up by the next run", async () => {
    const at: Switch = { hasLeft: true, unanswered: 0, fault: null };
    let revision = 1;
    const { one, source, destination } = await given({
      connector: leaving("find", away, at, "users"),
      mapping: () => ({
        ...asItIs,
        revision,
        personFor: ({ stream, id }) =>
          revision === 1 && stream === "users" && id === "2"
            ? { kind: "person", id: "77" }
            : { kind: "copy" },
        differsFrom: (before) => before !== revision,
      }),
    });
    await one.run({ type: "full_started" });
    revision = 2;
    source.source.get("users")?.update("2", { name: "Changed" } as never);
    at.hasLeft = false;
    await one.move({ type: "delta_started", withinWindow: true });
    let chunks = await one.dispatch();
    for (let n = 0; !at.hasLeft && n < 20; n += 1) chunks = await stepOf(one, chunks);
    expect(at).toMatchObject({ hasLeft: true, unanswered: 1 });
    await one.move({ type: "stop_requested" });
    await workOut(one, newest([...chunks, ...(await one.dispatch())]), 12);
    const inDoubt = { stream: "users", state: 4, reason: "in_doubt", n: 1 };
    expect(await one.ledger()).toContainEqual(inDoubt);
    at.fault = null;
    await one.run({ type: "delta_started", withinWindow: true });
    expect(await one.ledger()).not.toContainEqual(inDoubt);
    expect(copiesOf(destination, "users").filter(({ sourceId }) => sourceId === "2")).toHaveLength(1);
    expect(destination.stats()).toMatchObject({ written: total, duplicates: 0 });
  });

  test("a tool that is back in time is queried: nothing stays in doubt", async () => {
    const { one, chunks, unanswered, comesBack } = await givenLeaving("find", away);
    await one.move({ type: "stop_requested" });
    await rest(one);
    const next = await stepOf(one, newest([...chunks, ...(await one.dispatch())]));
    expect(next).toHaveLength(1);
    comesBack();
    await workOut(one, next, 3);
    expect(await one.status()).toBe("in_preparation");
    const tickets = (await one.ledger()).filter(({ stream }) => stream === "tickets");
    expect(tickets.every(({ state }) => state === 1)).toBe(true);
    expect(tickets).toContainEqual(expect.objectContaining({ reason: "found_again", n: unanswered }));
  });

  test("paused, it rests with what it has; resumed, it continues and copies nothing twice", async () => {
    const { one, destination, chunks, comesBack } = await givenLeaving("open", away);
    await one.runs.pauseRun(one);
    await rest(one);
    expect(await stepOf(one, chunks)).toEqual([]);
    comesBack();
    await one.work(await one.runs.unpauseRun(one));
    expect(await one.status()).toBe("migration_completed");
    expect(destination.stats()).toMatchObject({ written: total, duplicates: 0 });
  });
});

import { ConnectorError, type DestinationStream, type SourceStream } from "@portage/connector-kit";
import { expect, test } from "vitest";
import { copiesOf, refusing, total, useKinds } from "../../../../../test/runs/kinds-fixture.ts";
import { losing } from "../../../../../test/runs/losing-fixture.ts";
import { inDoubt, stateNumber } from "../ledger/row-state.ts";

const { given, ledgerId, database } = useKinds();

const rowOf = async (importId: string, stream: string, sourceId: string) => {
  const { rows } = await database().query<{
    state: number;
    reason: string | null;
    detail: string | null;
    key_generation: number;
    dest_id: string | null;
  }>(
    `select state, reason, detail, key_generation, dest_id from ledger
     where import_id = $1 and stream = $2 and source_id = $3`,
    [importId, stream, sourceId],
  );
  return rows[0];
};

/** The row as a run leaves it that gave up on the answer to this write. */
const giveUp = (importId: string, sourceId: string) =>
  database().query(
    `update ledger set state = $2, reason = $3, dest_id = null, detail = null
     where import_id = $1 and stream = 'tickets' and source_id = $4`,
    [importId, stateNumber("failed"), inDoubt, sourceId],
  );

const broken = () =>
  new ConnectorError({ recovery: "skip-record", code: "unreadable", message: "It is broken." });

/** A source in which one ticket can't be read by its id while `isBroken` is true. */
const breaking =
  (isBroken: () => boolean) =>
  (stream: SourceStream): SourceStream =>
    stream.stream.name === "tickets"
      ? {
          ...stream,
          readByIds: async (io, ids) => {
            if (isBroken() && ids.includes("3")) throw broken();
            return stream.readByIds(io, ids);
          },
        }
      : stream;

test("a copy whose original is temporarily unreadable stays known: not made twice, and undone", async () => {
  let isBroken = false;
  let isOpen = true;
  const { one, source, destination } = await given({
    reading: breaking(() => isBroken),
    connector: refusing(
      (stream, record) => !isOpen && stream === "tickets" && /changed/.test(JSON.stringify(record)),
    ),
  });
  await one.run({ type: "full_started" });
  const copy = await ledgerId(one.importId, "3");
  // The tool refuses the change, so a retry reads the record by its id: then it is unreadable.
  isOpen = false;
  source.source.get("tickets")?.update("3", { subject: "changed at the source" } as never);
  await one.run({ type: "delta_started", withinWindow: true });
  isBroken = true;
  await one.run({ type: "retry_started", withinWindow: true });
  expect(await rowOf(one.importId, "tickets", "3")).toMatchObject({
    state: stateNumber("written"),
    reason: "update_failed",
    detail: "unreadable: It is broken.",
    dest_id: copy,
  });
  [isBroken, isOpen] = [false, true];
  await one.run({ type: "retry_started", withinWindow: true });
  expect(await rowOf(one.importId, "tickets", "3")).toMatchObject({ reason: null, dest_id: copy });
  expect(copiesOf(destination, "tickets")).toHaveLength(150);
  await one.run({ type: "undo_started" });
  expect(destination.stats()).toMatchObject({ written: 0, duplicates: 0 });
});

test("a copy whose original moved out of the selection stays as it was, and is reported", async () => {
  const { one, source, destination } = await given();
  await one.run({ type: "full_started" });
  source.source.get("comments")?.update("5", { ticketId: "no-such-ticket" } as never);
  await one.run({ type: "delta_started", withinWindow: true });
  expect(await rowOf(one.importId, "comments", "5")).toMatchObject({
    state: stateNumber("written"),
    reason: "update_failed",
    detail: "parent_missing: ticketId",
  });
  await one.run({ type: "undo_started" });
  expect(destination.stats()).toMatchObject({ written: 0 });
});

test("a row in doubt stays so, with its key, while its original is unreadable", async () => {
  let isBroken = false;
  const { one } = await given({ reading: breaking(() => isBroken) });
  await one.run({ type: "full_started" });
  const before = await rowOf(one.importId, "tickets", "3");
  await giveUp(one.importId, "3");
  isBroken = true;
  await one.run({ type: "retry_started", withinWindow: true });
  expect(await rowOf(one.importId, "tickets", "3")).toMatchObject({
    reason: inDoubt,
    key_generation: before?.key_generation,
  });
  isBroken = false;
  await one.run({ type: "retry_started", withinWindow: true });
  expect(await rowOf(one.importId, "tickets", "3")).toMatchObject({
    state: stateNumber("written"),
    dest_id: before?.dest_id,
  });
});

/** A tool whose key is revoked while it accepts ticket 3: whether it arrived can't be checked any more. */
const revoking = (isRevoked: () => boolean, onRefused: () => void) => {
  const connector = losing({ loses: ({ record }) => isRevoked() && record.id === "3" });
  const streams = connector.destination?.helpdesk ?? [];
  let hasWritten = false;
  return {
    ...connector,
    destination: {
      helpdesk: streams.map(
        (stream): DestinationStream => ({
          ...stream,
          write: async (io, batch) => {
            hasWritten ||= isRevoked();
            return stream.write(io, batch);
          },
          find: async (io, asked) => {
            if (!isRevoked() || !hasWritten) return stream.find(io, asked);
            onRefused();
            throw new ConnectorError({ recovery: "retry", code: "cut_off", message: "No answer." });
          },
        }),
      ),
    },
  };
};

test("a batch given up again, because the sign-in is gone, keeps the key it was written by", async () => {
  let isRevoked = false;
  const connector = revoking(
    () => isRevoked,
    () => one.gone.add("destination"),
  );
  const { one, destination } = await given({ connector });
  await one.run({ type: "full_started" });
  const before = await rowOf(one.importId, "tickets", "3");
  destination.written("tickets").remove(before?.dest_id ?? "");
  await giveUp(one.importId, "3");
  isRevoked = true;
  await one.run({ type: "retry_started", withinWindow: true });
  expect(destination.stats().written).toBe(total);
  expect(one.gone).toContain("destination");
  // Long enough ago that no request of it can be in flight.
  await database().query(
    "update partitions set batch_deadline = now() - interval '1 day' where import_id = $1 and batch_ids is not null",
    [one.importId],
  );
  await one.run({ type: "stop_requested" });
  expect(await rowOf(one.importId, "tickets", "3")).toMatchObject({
    reason: inDoubt,
    key_generation: before?.key_generation,
  });
  one.gone.clear();
  isRevoked = false;
  await one.run({ type: "retry_started", withinWindow: true });
  expect(destination.stats()).toMatchObject({ written: total, duplicates: 0 });
});

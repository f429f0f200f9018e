import type { Connector, DestinationStream, Removed } from "@portage/connector-kit";
import { expect, test } from "vitest";
import { copiesOf, edit, plain, useKinds } from "../../../../../test/runs/kinds-fixture.ts";
import { type StandIn, startStandIn } from "../../../../../test/tools/stand-in/stand-in.ts";
import { stateName } from "../ledger/row-state.ts";

const { given, ledgerId, database } = useKinds();

/** Each ticket of the chain is below the one before it, as the categories of a category are. */
const chain = ["1", "2", "3", "4", "5"];

/** A tool that keeps a ticket while another one is below it. */
const keepingUpper = (tool: StandIn, ids: () => readonly string[], asked: string[]): Connector => {
  const connector = plain();
  const streams = (connector.destination?.helpdesk ?? []).map((stream): DestinationStream => {
    if (stream.stream.name !== "tickets") return stream;
    const remove: DestinationStream["remove"] = async (io, what) => {
      const outcomes: Removed[] = [];
      for (const each of what) {
        const place = ids().indexOf(each.id);
        const below = place < 0 ? undefined : ids()[place + 1];
        const isUpper = copiesOf(tool, "tickets").some(({ id }) => id === below);
        asked.push(each.id);
        const kept = { kind: "kept", code: "in_use", message: "Others are below it." } as const;
        outcomes.push(isUpper ? kept : ((await stream.remove?.(io, [each]))?.[0] ?? kept));
      }
      return outcomes;
    };
    return { ...stream, remove };
  });
  return { ...connector, destination: { helpdesk: streams } };
};

const moved = async (asked: string[] = []) => {
  const destination = await startStandIn({ seed: "destination", upserts: false });
  let ids: readonly string[] = [];
  const { one } = await given({ destination, connector: keepingUpper(destination, () => ids, asked) });
  await one.run({ type: "full_started" });
  ids = await Promise.all(chain.map((id) => ledgerId(one.importId, id)));
  return { one, destination, ids };
};

const counted = async (importId: string) => {
  const { rows } = await database().query<{ removed: number; kept: number }>(
    `select removed::int, kept::int from partitions where stream = 'tickets' and task = 'remove' and import_id = $1`,
    [importId],
  );
  return rows;
};

test("an undo removes a tree from below, though it meets the upper records first", async () => {
  const { one, destination } = await moved();
  await one.run({ type: "undo_started" });
  expect(copiesOf(destination, "tickets")).toEqual([]);
  expect(await counted(one.importId)).toEqual([{ removed: 150, kept: 0 }]);
});

test("what is above a record that stays, stays with its reason, counted once, and nothing is tried for ever", async () => {
  const asked: string[] = [];
  const { one, destination, ids } = await moved(asked);
  const id = ids[2] ?? "";
  edit(destination, id, { subject: "mine" });
  await one.run({ type: "undo_started" });
  expect(copiesOf(destination, "tickets").map((copy) => copy.id)).toEqual(ids.slice(0, 3));
  const { rows } = await database().query<{ id: string; state: number; reason: string }>(
    `select source_id as id, state, reason from ledger where import_id = $1 and stream = 'tickets' and state <> 5 order by 1`,
    [one.importId],
  );
  expect(rows.map((row) => ({ ...row, state: stateName(row.state) }))).toEqual([
    { id: "1", state: "kept", reason: "in_use" },
    { id: "2", state: "kept", reason: "in_use" },
    { id: "3", state: "kept", reason: "edited_since" },
  ]);
  expect(await counted(one.importId)).toEqual([{ removed: 147, kept: 3 }]);
  expect(asked.filter((each) => each === id)).toEqual([]);
  expect(asked.length).toBeLessThan(170);
});

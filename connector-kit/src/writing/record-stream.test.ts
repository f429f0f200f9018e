import { expect, test } from "vitest";
import type { Write } from "../destination.ts";
import { ConnectorError, outcomeUnknown } from "../errors.ts";
import { helpdesk } from "../families/index.ts";
import type { RecordOf } from "../families/stream.ts";
import type { Io } from "../io.ts";
import { skipRecord } from "../refusals.ts";
import { awaitJob, type JobState } from "./await-job.ts";
import { findByKey, type KeyPlace } from "./find-by-key.ts";
import { lineOf, mayDiffer, notHeld } from "./holds.ts";
import { converted, rejected } from "./outcomes.ts";
import { type RecordStream, recordStream } from "./record-stream.ts";
import { writeTogether } from "./write-together.ts";

type Group = RecordOf<typeof helpdesk.groups>;

interface Row {
  readonly id: number;
  readonly key: string | null;
  readonly name: string;
}

const io = { scope: {}, signal: new AbortController().signal, http: {} } as Io;

const group = (name: string): Group => helpdesk.groups.make({ id: `old-${name}`, name });

const write = (key: string, name: string, id: string | null = null): Write<Group> => ({
  key,
  id,
  record: group(name),
});

/** A tool that keeps groups of at most 5 characters. */
const openTool = (parts: Partial<RecordStream<Group, Row, unknown>> = {}) => {
  const rows = new Map<number, Row>();
  const put = (row: Row) => {
    rows.set(row.id, row);
    return row;
  };
  const stream = recordStream<Group, Row, unknown>({
    stream: helpdesk.groups,
    guarantees: [],
    holds: { tags: notHeld("No tags."), name: lineOf(5, "At most 5 characters.") },
    key: { kind: "field", of: ({ key }) => key, find: async () => [...rows.values()] },
    id: ({ id }) => String(id),
    byIds: async (_io, ids) => [...rows.values()].filter(({ id }) => ids.includes(String(id))),
    toRecord: ({ id, name }) => helpdesk.groups.make({ id: String(id), name }),
    create: async (_io, { key, record }) => ({ row: put({ id: rows.size + 1, key, name: record.name }) }),
    change: async (_io, { record }, row) => ({ row: put({ ...row, name: record.name }) }),
    remove: async (_io, { id }) => void rows.delete(id),
    ...parts,
  });
  return { rows, stream };
};

test("finds, writes, reads and removes by the tool's own calls", async () => {
  const { rows, stream } = openTool();
  const [first, second] = await stream.write(io, [write("k1", "Sales"), write("k2", "Support")]);
  expect(first).toMatchObject({ kind: "written", id: "1", changes: [] });
  expect(second).toMatchObject({
    id: "2",
    changes: [{ field: "name", change: "truncated", becomes: "Suppo" }],
  });
  const since = new Date(0);
  const found = await stream.find(io, [
    { key: "k2", since },
    { key: "k3", since },
  ]);
  expect([...found]).toEqual([
    ["k2", ["2"]],
    ["k3", []],
  ]);
  expect((await stream.read(io, ["2", "9", "1"])).map((record) => record?.name ?? null)).toEqual([
    "Suppo",
    null,
    "Sales",
  ]);
  expect(
    await stream.remove?.(io, [
      { id: "1", key: "k1" },
      { id: "2", key: "other" },
      { id: "9", key: "k" },
    ]),
  ).toMatchObject([{ kind: "removed" }, { kind: "kept", code: "key_gone" }, { kind: "removed" }]);
  expect([...rows.keys()]).toEqual([2]);
  expect(stream.drops).toEqual([{ field: "tags", change: "cleared", why: "No tags." }]);
});

test.each([
  ["no key", null, "key_gone"],
  ["what a person wrote in its place", "crm-7", "key_gone"],
  ["the key of another copy", `imp_01k9z3f2p8:${"0a".repeat(16)}`, "other_key"],
])(
  "keeps a record with %s: only another copy's key shows that it is another record",
  async (_, key, code) => {
    const { rows, stream } = openTool();
    rows.set(1, { id: 1, key, name: "" });
    const removal = await stream.remove?.(io, [{ id: "1", key: "k1" }]);
    expect(removal).toMatchObject([{ kind: "kept", code }]);
    expect([...rows.keys()]).toEqual([1]);
  },
);

test.each([
  ["nothing", [], "removed"],
  ["what imports wrote", ["c1", "c2"], "removed"],
  ["a person's reply", ["c1", null], "others_added"],
  ["a reply that quotes what an import wrote", ["c1", "c2", "c1"], "others_added"],
  ["a reply that quotes the record itself", ["k1"], "others_added"],
])("with %s on it, a record is removed only if nothing of others goes with it", async (_, keys, wanted) => {
  const { rows, stream } = openTool({ keysOn: async () => keys });
  rows.set(1, { id: 1, key: "k1", name: "" });
  const [removal] = (await stream.remove?.(io, [{ id: "1", key: "k1" }])) ?? [];
  expect(removal?.kind === "kept" ? removal.code : removal?.kind).toBe(wanted);
  expect(rows.has(1)).toBe(wanted !== "removed");
});

test("changes only a record that is there and has the key", async () => {
  const { rows, stream } = openTool();
  await stream.write(io, [write("k1", "Sales")]);
  expect(
    await stream.write(io, [write("k1", "Mail", "1"), write("k2", "x", "1"), write("k1", "x", "9")]),
  ).toMatchObject([
    { kind: "written", id: "1" },
    { kind: "rejected", code: "not_ours" },
    { kind: "rejected", code: "not_found" },
  ]);
  expect(rows.get(1)?.name).toBe("Mail");
});

test("a change is found by what was sent, never by what the tool shows", async () => {
  const { stream } = openTool({
    holds: { name: mayDiffer("Upper case."), memberIds: mayDiffer("No members.") },
    create: async (_io, { key, record }) => ({
      row: { id: 1, key, name: "lost" },
      sent: { id: 1, key, name: record.name.toUpperCase() },
      fields: { memberIds: ["7"] },
      changes: [converted("memberIds", "Refused.")],
    }),
  });
  const [outcome] = await stream.write(io, [write("k1", "Sales")]);
  expect(outcome).toMatchObject({
    record: { name: "lost" },
    changes: [
      { field: "name", becomes: "SALES" },
      { field: "memberIds", why: "Refused." },
    ],
  });
});

test("looks for the keys first if asked to, and one by one where a parent is hidden", async () => {
  const asked: (readonly string[])[] = [];
  const { stream } = openTool({
    looksFirst: true,
    key: {
      kind: "field",
      of: ({ key }) => key,
      async find(_io, keys) {
        asked.push(keys);
        if (keys.includes("hidden")) throw skipRecord("forbidden", "Hidden.");
        return [{ id: 5, key: "k5", name: "" }];
      },
    },
  });
  expect(await stream.write(io, [write("hidden", "a"), write("k5", "b"), write("k6", "c")])).toMatchObject([
    { kind: "rejected", code: "forbidden" },
    { kind: "matched", id: "5" },
    { kind: "written" },
  ]);
  expect(asked).toEqual([["hidden", "k5", "k6"], ["hidden"], ["k5"], ["k6"]]);
});

test("creates several in one call, changes one by one, and keeps the order of the batch", async () => {
  const calls: (readonly object[])[] = [];
  const { rows, stream } = openTool({
    together: {
      atMost: 2,
      draft: (_io, { key, record }) => ({ key, name: record.name }),
      async send(_io, drafts) {
        calls.push(drafts);
        return drafts.map((draft, index) => {
          const made = { id: 10 * calls.length + index, ...draft } as Row;
          if (made.name === "bad") return rejected("rejected", "Not bad.");
          rows.set(made.id, made);
          return { row: made };
        });
      },
    },
  });
  rows.set(1, { id: 1, key: "k1", name: "Old" });
  const batch = [write("k2", "Support"), write("k1", "New", "1"), write("k3", "bad"), write("k4", "Mail")];
  expect(await stream.write(io, batch)).toMatchObject([
    { kind: "written", id: "10", changes: [{ field: "name", becomes: "Suppo" }] },
    { kind: "written", id: "1" },
    { kind: "rejected", message: "Not bad." },
    { kind: "written", id: "20", changes: [] },
  ]);
  expect(calls.map((drafts) => drafts.length)).toEqual([2, 1]);
});

const row = { id: 1, key: "k1", name: "" };
const asked = [
  { key: "k1", parentId: "7", since: new Date(5_000) },
  { key: "k2", since: new Date(9_000) },
];

test.each<[string, KeyPlace<Row, unknown>]>([
  ["a digest", { kind: "field", of: () => "#k1", digest: (key) => `#${key}`, find: async () => [row, row] }],
  [
    "a list of the parent",
    { kind: "marker", of: ({ key }) => key, list: async (_io, id) => (id === "7" ? [row] : []) },
  ],
  [
    "a scan since the first write",
    {
      kind: "scan",
      of: ({ key }) => key,
      async *since(_io, since) {
        expect(since).toEqual(new Date(5_000));
        yield row;
        yield { ...row, id: 2, key: "k3" };
      },
    },
  ],
])("finds a key by %s", async (_name, place) => {
  expect([...(await findByKey(io, place, ({ id }) => String(id), asked))]).toEqual([
    ["k1", ["1"]],
    ["k2", []],
  ]);
});

const together = (send: (drafts: readonly string[]) => Promise<readonly (string | undefined)[]>) =>
  writeTogether<Group, string, string, unknown>(io, [write("k1", "a"), write("k2", "b"), write("k3", "c")], {
    atMost: 3,
    draft(_io, { record }) {
      if (record.name === "b") throw skipRecord("too_long", "Too long.");
      return record.name;
    },
    send: (_io, drafts) => send(drafts),
    outcome: (_io, _write, id) => ({ kind: "written", id }),
  });

test("a call for several records answers for each of them", async () => {
  expect(await together(async () => ["1"])).toMatchObject([
    { kind: "written", id: "1" },
    { kind: "rejected", code: "too_long" },
    { kind: "unknown" },
  ]);
});

test("if the tool refuses the call, each is sent alone; if its answer is lost, all are unknown", async () => {
  const calls: (readonly string[])[] = [];
  const outcomes = await together(async (drafts) => {
    calls.push(drafts);
    if (drafts.includes("c")) throw skipRecord("rejected", "Not c.");
    return drafts.map((each) => `id-${each}`);
  });
  expect(calls).toEqual([["a", "c"], ["a"], ["c"]]);
  expect(outcomes).toMatchObject([
    { id: "id-a" },
    { code: "too_long" },
    { kind: "rejected", message: "Not c." },
  ]);
  const lost = new ConnectorError({ recovery: "retry", code: outcomeUnknown, message: "No answer." });
  expect((await together(() => Promise.reject(lost))).map(({ kind }) => kind)).toEqual([
    "unknown",
    "rejected",
    "unknown",
  ]);
});

test("a refusal after the call leaves the record in doubt", async () => {
  const outcomes = await writeTogether<Group, object, string, unknown>(io, [write("k1", "a")], {
    atMost: 1,
    draft: () => ({}),
    send: async () => ["1"],
    outcome: () => Promise.reject(skipRecord("rejected", "No status.")),
  });
  expect(outcomes).toEqual([{ kind: "unknown", why: "No status." }]);
});

test("a job is awaited; one that does not end in time leaves its records unknown", async () => {
  const states: JobState<number>[] = [{ kind: "running" }, { kind: "ended", answer: 7 }];
  const poll = async () => states.shift() ?? { kind: "running" as const };
  expect(await awaitJob(io, poll, { everyMs: 1, atMostMs: 60_000 })).toBe(7);
  await expect(awaitJob(io, poll, { everyMs: 1, atMostMs: 3 })).rejects.toMatchObject({
    code: outcomeUnknown,
  });
  // The step ends before the job does.
  const ended = { ...io, signal: AbortSignal.abort() };
  await expect(awaitJob(ended, poll, { everyMs: 1, atMostMs: 60_000 })).rejects.toMatchObject({
    code: outcomeUnknown,
  });
});

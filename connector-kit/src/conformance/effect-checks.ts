import { isDeepStrictEqual } from "node:util";
import type { Check } from "./check.ts";
import { assert } from "./assert.ts";
import { refuseWrites } from "./refused-writes.ts";
import { askedFor } from "./asked-for.ts";
import { checkCanaries } from "./check-canaries.ts";

/** The effects of writing on the tool and on people, and how to undo them. */
export const effectChecks: readonly Check[] = [
  {
    name: "update",
    shows: "writing with an id changes that record and creates no other",
    role: "destination",
    after: ["order", "read-back", "twice"],
    run: async (session) => {
      for (const stream of session.destinations.filter(({ people }) => !people)) {
        const write = await session.newWrite(stream);
        if (!write) continue;
        const [first] = await session.write(stream, [write]);
        assert(first && "id" in first, `${stream.stream.name}: ${JSON.stringify(first)}`);
        const [second] = await session.write(stream, [{ ...write, id: first.id }]);
        assert(second && second.kind !== "unknown", `${stream.stream.name}: ${JSON.stringify(second)}`);
        if (second.kind === "rejected") continue;
        const ids = (await stream.find(session.io(), [askedFor(stream, { write })])).get(write.key) ?? [];
        assert(
          second.id === first.id && ids.length === 1,
          `${stream.stream.name}: the write created a second record.`,
        );
      }
      return undefined;
    },
  },
  {
    name: "people",
    shows: "the destination lists each person once",
    role: "destination",
    async run(session) {
      for (const stream of session.destinations) {
        const people = await stream.people?.(session.io());
        if (!people) continue;
        assert(people.length > 0, `${stream.stream.name}: no people to match with.`);
        assert(
          new Set(people.map(({ id }) => id)).size === people.length,
          `${stream.stream.name}: a duplicate id.`,
        );
      }
      return undefined;
    },
  },
  {
    name: "remove",
    shows: "remove deletes only the written record, and only with its key",
    role: "destination",
    after: ["order", "read-back"],
    async run(session) {
      const streams = session.destinations.filter(({ people, remove }) => !people && remove);
      if (streams.length === 0) return { skipped: "the destination can't remove records: no undo" };
      for (const stream of streams) {
        const name = stream.stream.name;
        const mine = await session.newWrite(stream);
        const other = await session.newWrite(stream);
        if (!mine || !other) continue;
        const outcomes = [
          ...(await session.write(stream, [mine])),
          ...(await session.write(stream, [other])),
        ];
        const ids = outcomes.map((outcome) => (outcome && "id" in outcome ? outcome.id : ""));
        const remove = async (id: string, key: string) =>
          (await stream.remove?.(session.io(), [{ id, key }]))?.[0];
        const there = async () => (await stream.read(session.io(), ids)).map((record) => record !== null);
        const [id = ""] = ids;
        assert((await remove(id, "c-other-key"))?.kind === "kept", `${name}: removed with a wrong key.`);
        assert(isDeepStrictEqual(await there(), [true, true]), `${name}: gone after a wrong key.`);
        assert((await remove(id, mine.key))?.kind === "removed", `${name}: not removed.`);
        assert(
          isDeepStrictEqual(await there(), [false, true]),
          `${name}: another record is gone, or this one still exists.`,
        );
        assert(
          (await remove(id, mine.key))?.kind === "removed",
          `${name}: the second removal does not return "removed".`,
        );
      }
      return undefined;
    },
  },
  {
    name: "others",
    shows: "a record to which people added something is not removed, and what they added stays",
    role: "destination",
    after: ["remove"],
    async run(session) {
      const { addTo } = session.subject;
      if (!addTo) return { skipped: "the subject can't add anything to a record, as people do" };
      const added: string[] = [];
      for (const stream of session.destinations.filter(({ people, remove }) => !people && remove)) {
        const { name } = stream.stream;
        const write = await session.newWrite(stream);
        if (!write) continue;
        const [outcome] = await session.write(stream, [write]);
        assert(outcome && "id" in outcome, `${name}: ${JSON.stringify(outcome)}`);
        const { id } = outcome;
        const isThere = await addTo(name, id);
        if (!isThere) continue;
        const [removal] = (await stream.remove?.(session.io(), [{ id, key: write.key }])) ?? [];
        assert(removal?.kind === "kept", `${name}: ${JSON.stringify(removal)}, with what people added.`);
        const [left] = await stream.read(session.io(), [id]);
        assert(left && (await isThere()), `${name}: what people added is gone.`);
        added.push(name);
      }
      if (added.length === 0) return { skipped: "nothing can be added that a removal would take along" };
      return { note: `added to ${added.join(", ")}` };
    },
  },
  {
    name: "refusals",
    shows:
      "a write that the tool refuses in the middle leaves one record at most, and a retry and an undo find it",
    role: "destination",
    after: ["doubt", "update", "remove"],
    async run(session) {
      const { seed, subject } = session;
      const report = await refuseWrites(session, { every: false, seed });
      const { writes, refused, doubled, rejectedButThere, missing, left } = report;
      const wrong = [...doubled, ...rejectedButThere, ...missing, ...left];
      assert(
        wrong.length === 0,
        `With seed ${seed}, ${wrong.length} claims are wrong. ${wrong.slice(0, 5).join(" ")}`,
      );
      if (refused === 0) return { skipped: "no write makes a request that changes something" };
      const by = subject.copies
        ? "the tool's own tables"
        : "find, since the subject does not show the tool's tables";
      return { note: `${refused} refused requests in ${writes} writes, seed ${seed}, counted by ${by}` };
    },
  },
  {
    name: "silent",
    shows: "writing sends no mail",
    role: "destination",
    async run(session) {
      const { mails } = session.subject;
      if (!session.destinations.some(({ guarantees }) => guarantees.includes("silent")))
        return { skipped: "the destination does not promise to be silent" };
      if (!mails) return { skipped: "the subject does not count mails" };
      await session.written("plain");
      const count = (await mails()) - (session.mailsBefore() ?? 0);
      assert(count === 0, `The destination sent ${count} mails.`);
      return undefined;
    },
  },
  {
    name: "canaries",
    shows: "canaries cause no message, messages about them are seen, and they can be removed",
    role: "destination",
    async run(session) {
      const { silence } = session.subject.connector;
      const streams = silence?.canaries[session.subject.family] ?? [];
      if (!silence || streams.length === 0)
        return { skipped: "silence can't be measured with this connector" };
      return checkCanaries(session, silence, streams);
    },
  },
];

import { isDeepStrictEqual } from "node:util";
import type { Check } from "./check.ts";
import { demand } from "./demand.ts";
import { askedFor } from "./written-entries.ts";

/** What writing does to the tool and to people, and how it is undone. */
export const effectChecks: readonly Check[] = [
  {
    name: "update",
    shows: "writing with an id changes that record and makes no other",
    role: "destination",
    after: ["order", "read-back", "twice"],
    run: async (session) => {
      for (const stream of session.destinations.filter(({ people }) => !people)) {
        const write = await session.newWrite(stream, 2);
        if (!write) continue;
        const [first] = await session.write(stream, [write]);
        demand(first && "id" in first, `${stream.stream.name}: ${JSON.stringify(first)}`);
        const [second] = await session.write(stream, [{ ...write, id: first.id }]);
        demand(second && second.kind !== "unknown", `${stream.stream.name}: ${JSON.stringify(second)}`);
        if (second.kind === "rejected") continue;
        const ids = (await stream.find(session.io(), [askedFor(stream, { write })])).get(write.key) ?? [];
        demand(
          second.id === first.id && ids.length === 1,
          `${stream.stream.name}: a second record was made.`,
        );
      }
      return undefined;
    },
  },
  {
    name: "silent",
    shows: "nobody gets a mail",
    role: "destination",
    async run(session) {
      const { mails } = session.subject;
      if (!session.destinations.some(({ duties }) => duties.includes("silent")))
        return { skipped: "it does not promise to be silent" };
      if (!mails) return { skipped: "nobody counts the mails" };
      await session.written("plain");
      const count = (await mails()) - (session.mailsBefore() ?? 0);
      demand(count === 0, `${count} mails were sent.`);
      return undefined;
    },
  },
  {
    name: "people",
    shows: "people are listed once each",
    role: "destination",
    async run(session) {
      for (const stream of session.destinations) {
        const people = await stream.people?.(session.io());
        if (!people) continue;
        demand(people.length > 0, `${stream.stream.name}: nobody to match with.`);
        demand(
          new Set(people.map(({ id }) => id)).size === people.length,
          `${stream.stream.name}: an id twice.`,
        );
      }
      return undefined;
    },
  },
  {
    name: "remove",
    shows: "remove takes what was written, only that, and only with its key",
    role: "destination",
    after: ["order"],
    async run(session) {
      const streams = session.destinations.filter(({ people, remove }) => !people && remove);
      if (streams.length === 0) return { skipped: "it removes nothing, so that an import can't be undone" };
      for (const stream of streams) {
        const name = stream.stream.name;
        const mine = await session.newWrite(stream, 3);
        const other = await session.newWrite(stream, 4);
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
        demand((await remove(id, "c-other-key"))?.kind === "kept", `${name}: removed with a wrong key.`);
        demand(isDeepStrictEqual(await there(), [true, true]), `${name}: gone after a wrong key.`);
        demand((await remove(id, mine.key))?.kind === "removed", `${name}: not removed.`);
        demand(
          isDeepStrictEqual(await there(), [false, true]),
          `${name}: another record is gone, or it is still there.`,
        );
        demand(
          (await remove(id, mine.key))?.kind === "removed",
          `${name}: what is gone already is not called removed.`,
        );
      }
      return undefined;
    },
  },
];

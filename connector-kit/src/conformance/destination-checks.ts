import { setTimeout as wait } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { DestinationStream } from "../destination.ts";
import { ConnectorError } from "../errors.ts";
import type { FamilyRecord } from "../families/stream.ts";
import type { Transport } from "../http/transport.ts";
import { type Check, demand } from "./check.ts";
import { fileDigest } from "./file-digest.ts";
import { differingFields, type Entry, type Session } from "./session.ts";

type Written = Extract<Entry["outcome"], { kind: "written" }>;

const since = new Date(0);

const wasWritten = (entry: Entry): entry is Entry & { outcome: Written } => entry.outcome?.kind === "written";

const parentOf = (stream: DestinationStream, record: FamilyRecord): { parentId?: string } => {
  const { parent } = stream.stream;
  const value = parent === null ? null : (record as unknown as Record<string, unknown>)[parent];
  const id = typeof value === "string" ? value : (value as { id?: unknown } | null)?.id;
  return typeof id === "string" ? { parentId: id } : {};
};

const askedFor = (stream: DestinationStream, { write }: Pick<Entry, "write">) => ({
  key: write.key,
  since,
  ...parentOf(stream, write.record),
});

/** What no copy needs to have: ids differ, and what a duty promises is looked at by the duty's own check. */
const never = ["id", "createdAt", "updatedAt", "author"];

const ignoredOf = (stream: DestinationStream, { changes = [] }: Written) =>
  new Set([
    ...never,
    ...[...changes, ...(stream.drops ?? [])].map(({ field }) =>
      field.replace(/^(?!customFields)([^.]+)\..*$/, "$1"),
    ),
  ]);

const eachWritten =
  (
    kind: "plain" | "hostile",
    run: (
      session: Session,
      stream: DestinationStream,
      entries: readonly Entry[],
      name: string,
    ) => Promise<void>,
  ): Check["run"] =>
  async (session) => {
    for (const [stream, entries] of await session.written(kind))
      await run(session, stream, entries, stream.stream.name);
    return undefined;
  };

const readBack =
  (kind: "plain" | "hostile"): Check["run"] =>
  async (session) => {
    const all = [...(await session.written(kind)).values()].flat();
    demand(all.length === 0 || all.some(wasWritten), "Nothing was written.");
    return compareAll(kind)(session);
  };

const compareAll = (kind: "plain" | "hostile") =>
  eachWritten(kind, async (session, stream, entries, name) => {
    const done = entries.filter(wasWritten);
    for (const { write, outcome } of entries)
      demand(
        outcome?.kind === "written" || outcome?.kind === "matched",
        `${name} ${write.key} was not written: ${JSON.stringify(outcome)}`,
      );
    const got = await stream.read(
      session.io(),
      done.map(({ outcome }) => outcome.id),
    );
    done.forEach(({ write, outcome }, index) => {
      const record = got[index];
      demand(record, `${name} ${write.key} can't be read back.`);
      const fields = differingFields(write.record, record, ignoredOf(stream, outcome));
      demand(
        fields.length === 0,
        `${name} ${write.key} differs in ${fields.join(", ")}, which was not declared.`,
      );
      demand(
        outcome.record === undefined ||
          differingFields(outcome.record, record, new Set(["updatedAt"])).length === 0,
        `${name} ${write.key}: the record of the outcome is not what read gives.`,
      );
    });
  });

/** A field that the duty `name` promises to keep, compared on every copy. */
const kept = (duty: "backdates" | "keeps-author", field: "createdAt" | "author"): Check["run"] =>
  eachWritten("plain", async (session, stream, entries, name) => {
    if (!stream.duties.includes(duty)) return;
    const done = entries.filter(wasWritten);
    const got = await stream.read(
      session.io(),
      done.map(({ outcome }) => outcome.id),
    );
    done.forEach(({ write, outcome }, index) => {
      if (outcome.changes?.some((change) => change.field.startsWith(field))) return;
      const wanted = (write.record as unknown as Record<string, unknown>)[field];
      const has = (got[index] as unknown as Record<string, unknown> | null)?.[field];
      const identity = (value: unknown) =>
        field === "author" ? ((value as { id?: unknown } | null)?.id ?? null) : value;
      demand(
        isDeepStrictEqual(identity(wanted), identity(has)),
        `${name} ${write.key}: ${field} was not kept.`,
      );
    });
  });

/** Lets a write through and loses its answer. */
const losingAnswers = (transport: Transport): Transport => {
  let lost = false;
  return {
    async send(request) {
      const answer = await transport.send(request);
      if (lost || request.method === "GET" || request.method === "HEAD" || answer.status >= 400)
        return answer;
      lost = true;
      for await (const _ of answer.body);
      throw Object.assign(new Error("The answer was lost."), { code: "unreachable", mayHaveArrived: true });
    },
  };
};

export const destinationChecks: readonly Check[] = [
  {
    name: "find-exact",
    shows: "find finds nothing for a key that was never written",
    role: "destination",
    run: eachWritten("plain", async (session, stream, entries, name) => {
      const first = entries[0];
      if (!first) return;
      const asked = { ...askedFor(stream, first), key: "c-never-written" };
      const found = await stream.find(session.io(), [asked]);
      demand((found.get("c-never-written") ?? []).length === 0, `${name}: found what was never written.`);
    }),
  },
  {
    name: "order",
    shows: "outcomes are in the order of what was written, one each",
    role: "destination",
    after: ["find-exact"],
    run: eachWritten("plain", async (session, stream, entries, name) => {
      const found = await stream.find(
        session.io(),
        entries.map((entry) => askedFor(stream, entry)),
      );
      for (const { write, outcome } of entries) {
        demand(outcome, `${name}: no outcome for ${write.key}.`);
        if (outcome.kind === "written")
          demand(
            found.get(write.key)?.includes(outcome.id),
            `${name} ${write.key}: the outcome has another's id.`,
          );
      }
    }),
  },
  {
    name: "read-back",
    shows: "what is read back equals what was written, minus the declared changes",
    role: "destination",
    after: ["order"],
    run: readBack("plain"),
  },
  {
    name: "hostile",
    shows: "emoji, HTML, 1 MB of text, right to left, dates before 1970 and doubles survive",
    role: "destination",
    after: ["order", "read-back"],
    run: readBack("hostile"),
  },
  {
    name: "twice",
    shows: "writing a key twice leaves one record",
    role: "destination",
    after: ["order"],
    run: eachWritten("plain", async (session, stream, entries, name) => {
      const entry = entries.find(wasWritten);
      if (!entry) return;
      if (stream.settles !== "find") await session.write(stream, [entry.write]);
      const ids = (await stream.find(session.io(), [askedFor(stream, entry)])).get(entry.write.key) ?? [];
      demand(ids.length === 1, `${name} ${entry.write.key}: ${ids.length} records.`);
    }),
  },
  {
    name: "doubt",
    shows: "a write whose answer is lost is never called failed, and can be found",
    role: "destination",
    after: ["order"],
    async run(session) {
      const { grace } = session.subject.connector.manifest;
      const asked: [DestinationStream, string, ReturnType<typeof askedFor>][] = [];
      for (const stream of session.destinations.filter(({ people }) => !people)) {
        const write = await session.newWrite(stream, 1);
        if (!write) continue;
        const name = `${stream.stream.name} ${write.key}`;
        try {
          const [outcome] = await stream.write(session.io(losingAnswers(session.subject.transport)), [write]);
          demand(outcome?.kind === "written" || outcome?.kind === "unknown", `${name}: ${outcome?.kind}`);
        } catch (error) {
          demand(error instanceof ConnectorError && error.recovery === "retry", `${name}: ${error}`);
        }
        asked.push([stream, name, askedFor(stream, { write })]);
      }
      await wait(grace.findLagMs);
      for (const [stream, name, one] of asked) {
        const ids = (await stream.find(session.io(), [one])).get(one.key) ?? [];
        demand(ids.length <= 1, `${name}: ${ids.length} records after one write in doubt.`);
      }
      return undefined;
    },
  },
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
      const count = await mails();
      demand(count === 0, `${count} mails were sent.`);
      return undefined;
    },
  },
  {
    name: "backdates",
    shows: "copies have the dates of their originals",
    role: "destination",
    after: ["order"],
    run: kept("backdates", "createdAt"),
  },
  {
    name: "keeps-author",
    shows: "copies have the authors of their originals",
    role: "destination",
    after: ["order"],
    run: kept("keeps-author", "author"),
  },
  {
    name: "files-written",
    shows: "files arrive byte for byte",
    role: "destination",
    after: ["order"],
    run: eachWritten("plain", async (session, stream, entries, name) => {
      if (stream.stream.kind !== "file" || !stream.openFile) return;
      for (const { write, outcome } of entries.filter(wasWritten).slice(0, 3)) {
        if (!write.file) continue;
        const sent = await fileDigest(write.file);
        const got = await fileDigest(await stream.openFile(session.io(), outcome.id));
        demand(
          isDeepStrictEqual(sent, got),
          `${name} ${write.key}: ${got.bytes} bytes, ${sent.bytes} were sent.`,
        );
      }
    }),
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
      for (const stream of session.destinations.filter(({ people, remove }) => !people && remove)) {
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

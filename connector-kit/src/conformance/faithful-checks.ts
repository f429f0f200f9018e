import { isDeepStrictEqual } from "node:util";
import type { DestinationStream } from "../destination.ts";
import { type Declared, declaredBy, declaredOf, differingFields } from "../compare-records.ts";
import type { Check } from "./check.ts";
import { assert } from "./assert.ts";
import { fileDigest } from "./file-digest.ts";
import { eachWritten, wasWritten, type Written } from "./written-entries.ts";

/** What a copy may have instead of the record's fields. Each guarantee has its own check, and nothing else is written here. */
const declaredFor = (to: DestinationStream, { changes = [] }: Written): Declared => ({
  ...declaredOf({ ...to, guarantees: [], volatileFields: [] }),
  ...declaredBy(to.stream, changes),
});

const readBack =
  (kind: "plain" | "hostile"): Check["run"] =>
  async (session) => {
    const all = [...(await session.written(kind)).values()].flat();
    assert(all.length === 0 || all.some(wasWritten), "Nothing was written.");
    return compareAll(kind)(session);
  };

const compareAll = (kind: "plain" | "hostile") =>
  eachWritten(kind, async (session, stream, entries, name) => {
    const done = entries.filter(wasWritten);
    for (const { write, outcome } of entries)
      assert(
        outcome?.kind === "written" || outcome?.kind === "matched",
        `${name} ${write.key} was not written: ${JSON.stringify(outcome)}`,
      );
    const got = await stream.read(
      session.io(),
      done.map(({ outcome }) => outcome.id),
    );
    done.forEach(({ write, outcome }, index) => {
      const record = got[index];
      assert(record, `${name} ${write.key} can't be read back.`);
      const fields = differingFields(stream.stream, write.record, record, declaredFor(stream, outcome));
      assert(
        fields.length === 0,
        `${name} ${write.key} differs in ${fields.join(", ")} without declaring it.`,
      );
      assert(
        outcome.record === undefined ||
          differingFields(stream.stream, outcome.record, record, { updatedAt: null }).length === 0,
        `${name} ${write.key}: the outcome's record differs from what read returns.`,
      );
    });
  });

/** Compares a field that the guarantee promises to keep, on every copy. */
const kept = (guarantee: "backdates" | "keeps-author", field: "createdAt" | "author"): Check["run"] => {
  const compare = eachWritten("plain", async (session, stream, entries, name) => {
    if (!stream.guarantees.includes(guarantee)) return;
    const done = entries.filter(wasWritten);
    const got = await stream.read(
      session.io(),
      done.map(({ outcome }) => outcome.id),
    );
    done.forEach(({ write, outcome }, index) => {
      if (outcome.changes?.some((change) => change.field.startsWith(field))) return;
      const wanted = (write.record as unknown as Record<string, unknown>)[field];
      // The tool has some author of its own where the record tells none.
      if (wanted === null) return;
      const has = (got[index] as unknown as Record<string, unknown> | null)?.[field];
      const identity = (value: unknown) =>
        field === "author" ? ((value as { id?: unknown } | null)?.id ?? null) : value;
      assert(
        isDeepStrictEqual(identity(wanted), identity(has)),
        `${name} ${write.key}: ${field} was not kept.`,
      );
    });
  });
  return async (session) =>
    session.destinations.some(({ guarantees }) => guarantees.includes(guarantee))
      ? compare(session)
      : { skipped: `it does not promise ${guarantee}` };
};

/** Copies equal their originals. */
export const faithfulChecks: readonly Check[] = [
  {
    name: "read-back",
    shows: "a copy equals the written record, except for the declared changes",
    role: "destination",
    after: ["order"],
    run: readBack("plain"),
  },
  {
    name: "hostile",
    shows: "emoji, HTML, 1 MB of text, right to left, dates before 1970 and duplicates survive",
    role: "destination",
    after: ["order", "read-back"],
    run: readBack("hostile"),
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
        assert(
          isDeepStrictEqual(sent, got),
          `${name} ${write.key}: ${got.bytes} bytes, ${sent.bytes} were sent.`,
        );
      }
    }),
  },
];

import {
  type Connector,
  type Cursor,
  type DestinationStream,
  type FamilyRecord,
  type FileBody,
  type Io,
  isRichText,
  type Outcome,
  type Page,
  resolveReferences,
  type SourceStream,
  type Write,
} from "@portage/connector-kit";
import type { Family } from "@portage/contract";

export interface Side<S> {
  readonly connector: Connector<S>;
  io(): Io<S>;
}

export interface Copied {
  readonly stream: string;
  readonly original: FamilyRecord;
  readonly write: Write<FamilyRecord>;
  readonly outcome: Outcome<FamilyRecord> | { readonly kind: "skipped"; readonly field: string };
}

type Ids = Map<string, string>;

/** Rewrites references in texts as the engine does, if the copies exist. */
const withTextReferences = <T extends FamilyRecord>(record: T, ids: Ids): T =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => {
      if (!isRichText(value)) return [name, value];
      const references = value.references.map((one) => {
        const id = one.to ? ids.get(`${one.to.stream}/${one.to.id}`) : undefined;
        return { ...one, to: one.to && id !== undefined ? { stream: one.to.stream, id } : null };
      });
      return [name, { ...value, references }];
    }),
  ) as unknown as T;

export const readAll = async <S>(
  side: Side<S>,
  stream: SourceStream<FamilyRecord, S>,
  parents: readonly (string | null)[],
): Promise<readonly FamilyRecord[]> => {
  const all: FamilyRecord[] = [];
  // As the engine does: one step for a page, or for the records of several parents.
  const shared = stream.perParent ? side.io() : null;
  for (const parentId of parents) {
    let cursor: Cursor | null = null;
    do {
      const page: Page<FamilyRecord> = await stream.readPage(shared ?? side.io(), {
        cursor,
        since: null,
        parentId,
      });
      all.push(...page.records);
      cursor = page.next;
    } while (cursor !== null);
  }
  return all;
};

/** A plain loop over the connector interface, without an engine. */
export const copyRecords = async <A, B>(
  from: Side<A>,
  to: Side<B>,
  family: Family,
  keyOf: (stream: string, id: string) => string,
) => {
  const ids: Ids = new Map();
  const originals = new Map<string, string[]>();
  const copied: Copied[] = [];
  for (const source of from.connector.source?.[family] ?? []) {
    const { name } = source.stream;
    const target = to.connector.destination?.[family]?.find(({ stream }) => stream.name === name);
    const parents = source.perParent ? (originals.get(source.perParent) ?? []) : [null];
    const records = await readAll(from, source, parents);
    originals.set(
      name,
      records.map(({ id }) => id),
    );
    if (!target) continue;
    let batch: { original: FamilyRecord; write: Write<FamilyRecord> }[] = [];
    const flush = async () => {
      const outcomes =
        batch.length > 0
          ? await target.write(
              to.io(),
              batch.map(({ write }) => write),
            )
          : [];
      batch.forEach(({ original, write }, index) => {
        const outcome = outcomes[index];
        if (!outcome) throw new Error(`No outcome for ${name} ${original.id}.`);
        copied.push({ stream: name, original, write, outcome });
        if ("id" in outcome) ids.set(`${name}/${original.id}`, outcome.id);
      });
      batch = [];
    };
    for (const original of records) {
      const resolve = ({ stream, id }: { stream: string; id: string }) => ids.get(`${stream}/${id}`) ?? null;
      const resolved = resolveReferences(source.stream, original, resolve);
      if (resolved.kind === "missing") {
        const write = { key: keyOf(name, original.id), record: original, id: null };
        copied.push({ stream: name, original, write, outcome: { kind: "skipped", field: resolved.field } });
        continue;
      }
      const file: { file?: FileBody } = source.openFile
        ? { file: await source.openFile(from.io(), original) }
        : {};
      const record = withTextReferences(resolved.record, ids);
      batch.push({ original, write: { key: keyOf(name, original.id), record, id: null, ...file } });
      // Records that reference their own stream need the copies first.
      const inside = Object.values(source.stream.relations).some((relation) => relation.to.includes(name));
      if (batch.length >= (inside ? 1 : target.batchSize)) await flush();
    }
    await flush();
  }
  return { copied, ids, originals };
};

export const targetOf = <S>(
  connector: Connector<S>,
  family: Family,
  name: string,
): DestinationStream<FamilyRecord, S> => {
  const found = connector.destination?.[family]?.find(({ stream }) => stream.name === name);
  if (!found) throw new Error(`No stream ${name}.`);
  return found;
};

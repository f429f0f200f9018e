import {
  type CustomField,
  type FamilyRecord,
  type FileBody,
  helpdesk,
  type Io,
  isConnectorError,
  type Outcome,
  type Write,
} from "@portage/connector-kit";
import type { StandInSettings } from "../tools/stand-in/connector.ts";
import { destinations, type Mutate, settingUp, shorter } from "./mutate.ts";

/** Changes each record silently as it is written. */
const rewriting = (change: (record: FamilyRecord) => FamilyRecord): Mutate =>
  destinations(({ write }) => ({
    write: (io, batch) =>
      write(
        io,
        batch.map((each) => ({ ...each, record: change(each.record) })),
      ),
  }));

/** Changes each item of a write on its way to the tool. */
const sending = (change: (item: Record<string, unknown>) => Record<string, unknown>): Mutate =>
  destinations(({ write }) => ({
    write: (io, batch) =>
      write(
        {
          ...io,
          http: {
            ...io.http,
            send: (request) =>
              io.http.send(
                Array.isArray(request.json)
                  ? { ...request, json: request.json.map((each) => change(each as Record<string, unknown>)) }
                  : request,
              ),
          },
        },
        batch,
      ),
  }));

const without = (item: Record<string, unknown>, name: string) =>
  Object.fromEntries(Object.entries(item).filter(([key]) => key !== name));

const emoji = /[\u{10000}-\u{10ffff}]/gu;
const withoutEmoji = (value: unknown): unknown => JSON.parse(JSON.stringify(value).replace(emoji, "?"));

const writtenBefore = new Set<string>();

async function destinationFind(
  this: unknown,
  io: Io<StandInSettings>,
  asked: readonly { readonly key: string }[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, string[]>();
  for (const { key } of asked) {
    const ids: string[] = [];
    for (const { name } of Object.values(helpdesk)) {
      const query = { key: [key, `${key}-2`] };
      const rows = (await io.http.send({ url: `written/${name}`, query })).json<{ id: string }[]>();
      ids.push(...rows.map(({ id }) => id));
    }
    found.set(key, ids);
  }
  return found;
}

const keyFor = ({ id, key }: Write<FamilyRecord>) => (id === null ? key : `${key}-2`);

/** No retry, even if the request allows it. */
const onceOnly = (http: Io["http"]): Io["http"] => ({
  ...http,
  send: (request) => http.send(request.method === "POST" ? { ...request, idempotent: false } : request),
});

const note: FileBody = {
  name: "note",
  contentType: "text/plain",
  size: 2,
  async *open() {
    yield Buffer.from("ok");
  },
};

/** One broken connector for each check of writing, keyed by the check's name. */
export const destinationMutants: Readonly<Record<string, Mutate>> = {
  "find-exact": destinations(({ find }) => ({
    // The tool ignores an unknown filter, and the connector does not check the rows.
    find: async (io, asked) => {
      const found = await find(io, asked);
      return new Map([...found].map(([key, ids]) => [key, ids.length > 0 ? ids : ["1", "2"]]));
    },
  })),

  order: destinations(({ write }) => ({
    write: async (io, batch) => (await write(io, batch)).toReversed(),
  })),

  "find-refused": destinations(({ find }) => ({
    // What it may not see does not exist.
    find: (io, asked) =>
      find(io, asked).catch((error: unknown) => {
        if (isConnectorError(error) && error.status === 403) return new Map<string, readonly string[]>();
        throw error;
      }),
  })),

  "read-back": rewriting((record) => ({ ...record, tags: [...record.tags, "imported"] })),

  hostile: rewriting((record) => withoutEmoji(record) as FamilyRecord),

  twice: destinations(({ write }) => ({
    write: async (io, batch) => {
      const fresh = batch.filter(({ id }) => id === null);
      const known = fresh.filter(({ key }) => writtenBefore.has(`${io.settings.token}/${key}`));
      for (const { key } of fresh) writtenBefore.add(`${io.settings.token}/${key}`);
      // A second write gets another key in the tool, so that `find` sees no change.
      await write(
        io,
        known.map((each) => ({ ...each, key: `${each.key}-2` })),
      );
      return write(io, batch);
    },
    find: destinationFind,
  })),

  doubt: destinations(({ write }) => ({
    write: async (io, batch) => {
      const outcomes = await write({ ...io, http: onceOnly(io.http) }, batch).catch(() =>
        batch.map(() => ({ kind: "rejected" as const, code: "failed", message: "It failed." })),
      );
      return outcomes.map((each) =>
        each.kind === "unknown" ? { kind: "rejected" as const, code: "failed", message: "It failed." } : each,
      );
    },
  })),

  refusals: destinations(({ write, stream }) => ({
    // A write of two requests: a refusal of the second one rejects the record that the first one made.
    write: async (io, batch) => {
      const outcomes = await write(io, batch);
      try {
        for (const { key } of batch)
          await io.http.send({ url: `uploads/${stream.name}/${key}-note`, method: "PUT", file: note });
      } catch (error) {
        if (!isConnectorError(error) || error.recovery !== "skip-record") throw error;
        const { code, message } = error;
        return batch.map((): Outcome<FamilyRecord> => ({ kind: "rejected", code, message }));
      }
      return outcomes;
    },
  })),

  update: destinations(({ write }) => ({
    write: async (io, batch) => {
      const outcomes = await write(
        io,
        batch.map((each) => ({ ...each, id: null, key: keyFor(each) })),
      );
      return outcomes;
    },
  })),

  silent: sending((item) => without(item, "notify")),
  // Its log shows nothing.
  canaries: (good) => ({
    ...good,
    ...(good.silence ? { silence: { ...good.silence, sent: async () => [] } } : {}),
  }),
  backdates: sending((item) => without(item, "keepDates")),
  "keeps-author": sending((item) => without(item, "keepAuthor")),

  "files-written": destinations(({ write }) => ({
    write: (io, batch) =>
      write(
        io,
        batch.map((each) => (each.file ? { ...each, file: shorter(each.file) } : each)),
      ),
  })),

  "field-once": settingUp((_, stream) => ({
    // Trusts that no call is repeated.
    create: async ({ http }, field) => {
      const answer = await http.send({ url: `fields/${stream}`, method: "POST", json: field });
      return { kind: "created", field: answer.json<CustomField>() };
    },
  })),

  "field-doubt": settingUp(({ create }) => ({
    create: async (io, field) => {
      const outcome = await create(io, field);
      return outcome.kind === "unknown"
        ? { kind: "rejected", code: "failed", message: "It failed." }
        : outcome;
    },
  })),

  "field-values": settingUp((_, stream) => ({
    // The values go with the field.
    remove: async ({ http }, mark) => {
      const url = `fields/${stream}`;
      for (const { key } of (await http.send({ url, query: { mark } })).json<CustomField[]>())
        await http.send({ url: `${url}/${key}`, method: "DELETE", query: { force: true } });
      return { kind: "removed" };
    },
  })),

  "field-remove": settingUp(({ create, remove }) => {
    const created = new Set<string>();
    const gone = new Set<string>();
    return {
      create: (io, field) => {
        created.add(field.mark);
        return create(io, field);
      },
      // A field that is gone already counts as one that could not be removed.
      remove: async (io, mark) => {
        if (gone.has(mark)) return { kind: "kept", code: "not_found", message: "There is no such field." };
        if (created.has(mark)) gone.add(mark);
        const outcome = await remove(io, mark);
        if (outcome.kind !== "removed") gone.delete(mark);
        return outcome;
      },
    };
  }),

  "key-field": settingUp(({ create }) => ({
    createKeyField: (io, mark) => create(io, { mark: `${mark}-key`, label: "External key", type: "text" }),
  })),

  people: destinations(({ people }) =>
    people ? { people: async (io) => [...(await people(io)), ...(await people(io))] } : {},
  ),

  // Removes a record without a look at what is on it.
  others: destinations(({ remove }) => ({
    remove: async ({ http, ...io }, what) =>
      (await remove?.(
        {
          ...io,
          http: {
            ...http,
            send: ({ query, ...request }) => http.send({ ...request, query: { ...query, unremarked: null } }),
          },
        },
        what,
      )) ?? [],
  })),

  remove: destinations(({ remove, stream }) => ({
    // Trusts the id without comparing the key.
    remove: async (io, what) => {
      const rows = await Promise.all(
        what.map(async ({ id }) =>
          (await io.http.send({ url: `written/${stream.name}`, query: { id } })).json<{ key: string }[]>(),
        ),
      );
      return (
        (await remove?.(
          io,
          what.map(({ id, key }, index) => ({ id, key: rows[index]?.[0]?.key ?? key })),
        )) ?? []
      );
    },
  })),
};

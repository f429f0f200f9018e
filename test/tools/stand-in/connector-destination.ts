import {
  ConnectorError,
  type CustomField,
  type DestinationStream,
  type FamilyRecord,
  type FamilyStream,
  type FieldChange,
  type FileBody,
  type Http,
  type Io,
  othersAdded,
  type Outcome,
  outcomeUnknown,
  type Person,
  type FieldOption,
  type Write,
} from "@portage/connector-kit";
import { urlOf } from "./addresses-and-parts.ts";
import { fieldSetup } from "./connector-fields.ts";
import type { StandInConnectorOptions, StandInSettings } from "./connector-options.ts";

type Found = { readonly id: string; readonly key: string; readonly record: FamilyRecord };
type Result = { readonly id: string; readonly record?: FamilyRecord } | { readonly error: string };

const maxTitle = 255;
const titles = ["subject", "title", "name"];

const shortened = (record: FamilyRecord): { record: FamilyRecord; changes: FieldChange[] } => {
  const fields = record as unknown as Record<string, unknown>;
  const long = titles.filter((name) => typeof fields[name] === "string" && fields[name].length > maxTitle);
  if (long.length === 0) return { record, changes: [] };
  const cut = Object.fromEntries(long.map((name) => [name, String(fields[name]).slice(0, maxTitle)]));
  return {
    record: { ...record, ...cut },
    changes: long.map((field) => ({
      field,
      change: "truncated",
      why: `The stand-in holds ${maxTitle} characters here.`,
    })),
  };
};

const outcomeOf = (
  result: Result | undefined,
  { record, changes }: ReturnType<typeof shortened>,
): Outcome<FamilyRecord> => {
  if (!result) return { kind: "unknown", why: "The stand-in did not say." };
  if ("error" in result)
    return { kind: "rejected", code: result.error, message: "The stand-in did not take it." };
  // Without a record in the answer, the tool stores it as sent.
  const { id } = result;
  return { kind: "written", id, record: result.record ?? { ...record, id }, changes };
};

const peopleOf = (name: string) => ({
  people: async ({ http }: Io<StandInSettings>): Promise<readonly Person[]> =>
    (await http.send({ url: `people/${name}` }))
      .json<Person[]>()
      .map(({ id, name: full, email, active }) => ({ id, name: full, email, active })),
});

const filesOf = (name: string) => ({
  openFile: async ({ http }: Io<StandInSettings>, id: string): Promise<FileBody> => {
    const { size, body } = await http.download({ url: `uploads/${name}/${id}` });
    return { name: id, contentType: "application/octet-stream", size, open: () => body };
  },
});

export const destinationStream = (
  stream: FamilyStream,
  {
    settles = "upsert",
    batchSize = 20,
    takes = {},
    createsFields = false,
    holdsAdded = true,
  }: StandInConnectorOptions,
): DestinationStream<FamilyRecord, StandInSettings> => {
  const { name } = stream;
  const upsert = settles === "upsert";
  const lookUp = async (http: Http, query: Record<string, readonly string[]>) =>
    (await http.send({ url: `written/${name}`, query })).json<Found[]>();
  const upload = async (http: Http, { key, file }: Write<FamilyRecord>, to = name) => {
    if (!file) return {};
    await http.send({ url: `uploads/${to}/${key}`, method: "PUT", file, auxiliary: true });
    return { upload: key };
  };
  const itemOf = async (http: Http, each: Write<FamilyRecord>, record: FamilyRecord, to = name) => ({
    key: each.key,
    id: each.id,
    record,
    notify: false,
    keepDates: true,
    keepAuthor: true,
    ...(await upload(http, each, to)),
  });
  const partsOf = async (http: Http, { parts = {} }: Write<FamilyRecord>) =>
    Promise.all(
      Object.entries(parts).flatMap(([to, writes]) =>
        writes.map(async (each) => ({
          stream: to,
          item: await itemOf(http, each, shortened(each.record).record, to),
        })),
      ),
    );
  return {
    stream,
    batchSize,
    idempotency: settles,
    guarantees: ["silent", "backdates", "keeps-author"],
    ...(holdsAdded ? { addedFields: stream.addedFields } : {}),
    ...(takes[name] ? { takes: { streams: takes[name], atMost: 50 } } : {}),
    async find({ http }, asked) {
      const rows = asked.length === 0 ? [] : await lookUp(http, { key: asked.map(({ key }) => key) });
      const found = new Map<string, string[]>(asked.map(({ key }) => [key, []]));
      for (const { key, id } of rows) found.get(key)?.push(id);
      return found;
    },
    async write({ http }, batch) {
      const made = batch.map(({ record }) => shortened(record));
      const items = await Promise.all(
        batch.map(async (each, index) => ({
          ...(await itemOf(http, each, made[index]?.record ?? each.record)),
          parts: await partsOf(http, each),
        })),
      );
      try {
        const answer = await http.send({
          url: `written/${name}`,
          method: "POST",
          ...(upsert ? {} : { query: { upsert: false } }),
          json: items,
          idempotent: upsert,
          accept: [412],
        });
        if (answer.status === 412)
          throw new ConnectorError({
            recovery: "abort",
            code: "setup_needed",
            message: `The stand-in needs a field for external keys in ${name}.`,
          });
        const results = answer.json<Result[]>();
        return made.map((each, index) => outcomeOf(results[index], each));
      } catch (error) {
        if (error instanceof ConnectorError && error.code === outcomeUnknown)
          return batch.map(() => ({ kind: "unknown", why: error.message }));
        throw error;
      }
    },
    async read({ http }, ids) {
      const rows = ids.length === 0 ? [] : await lookUp(http, { id: ids });
      const byId = new Map(rows.map(({ id, record }) => [id, record]));
      return ids.map((id) => byId.get(id) ?? null);
    },
    remove: ({ http }, what) =>
      Promise.all(
        what.map(async ({ id, key }) => {
          const { status } = await http.send({
            url: `written/${name}/${id}`,
            method: "DELETE",
            query: { key, unremarked: true },
            accept: [404, 409, 423],
          });
          if (status === 423) return othersAdded;
          return status === 409
            ? { kind: "kept" as const, code: "key_differs", message: "Another record has this id now." }
            : { kind: "removed" as const };
        }),
      ),
    ...(createsFields ? { fieldSetup: fieldSetup(name) } : {}),
    customFields: async ({ http }) => (await http.send({ url: `fields/${name}` })).json<CustomField[]>(),
    options: async ({ http }) =>
      (await http.send({ url: `words/${name}` })).json<Record<string, readonly FieldOption[]>>(),
    remainingCapacity: async ({ http }) =>
      (await http.send({ url: `room/${name}` })).json<{ left: number | null }>().left,
    urlOf: urlOf(name),
    ...(stream.kind === "file" ? filesOf(name) : {}),
    ...(stream.kind === "people" ? peopleOf(name) : {}),
  };
};

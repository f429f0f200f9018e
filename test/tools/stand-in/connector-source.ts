import {
  type CustomField,
  type FamilyRecord,
  type FamilyStream,
  type FileBody,
  type Http,
  type Io,
  keysetPager,
  keysetSlice,
  linkPager,
  offsetPager,
  pagePager,
  type SourceStream,
  tokenPager,
} from "@portage/connector-kit";
import { byParentsOf, urlOf } from "./addresses-and-parts.ts";
import type { StandInConnectorOptions, StandInSettings } from "./connector-options.ts";

type Row = FamilyRecord;
type At = Parameters<SourceStream["readPage"]>[1];
type Query = Record<string, string | number | null | undefined>;

const idsPerPage = 1_000;

const filters = ({ since, parentId }: At) => ({ since: since?.toISOString(), parent: parentId });

const pagersOf = (stream: FamilyStream, size: number) => {
  const rows = { key: (row: Row) => Number(row.id), toRecord: (row: Row) => stream.make(row) };
  const list = async (http: Http, query: Query) =>
    (await http.send({ url: `rows/${stream.name}`, query })).json<{
      rows: Row[];
      total?: number;
      next?: string | null;
    }>();
  return {
    keyset: keysetPager<Row, FamilyRecord, StandInSettings>({
      ...rows,
      size,
      fetch: async ({ http }, at, { after, size: most }) =>
        (await list(http, { after, size: most, ...filters(at) })).rows,
    }),
    offset: offsetPager<Row, FamilyRecord, StandInSettings>({
      ...rows,
      size,
      sortedByKey: true,
      fetch: ({ http }, at, { offset, size: most }) => list(http, { offset, size: most, ...filters(at) }),
    }),
    page: pagePager<Row, FamilyRecord, StandInSettings>({
      ...rows,
      size,
      sortedByKey: true,
      fetch: ({ http }, at, { page, size: most }) => list(http, { page, size: most, ...filters(at) }),
    }),
    cursor: tokenPager<Row, FamilyRecord, StandInSettings>({
      ...rows,
      fetch: async ({ http }, at, cursor) => {
        const answer = await list(http, { cursor, size, ...filters(at) });
        return { rows: answer.rows, next: answer.next ?? null };
      },
    }),
    link: linkPager<Row, FamilyRecord, StandInSettings>({
      ...rows,
      first: (at) => ({ url: `rows/${stream.name}`, query: { size, ...filters(at) } }),
      rows: (answer) => answer.json<{ rows: Row[] }>().rows,
    }),
  };
};

/** Only with keyset paging does a slice know where it ends. */
const inSlices = (name: string): Pick<SourceStream<FamilyRecord, StandInSettings>, "slices"> => ({
  async slices({ http }, atMost) {
    const { last } = (await http.send({ url: `rows/${name}/bounds` })).json<{ last: number }>();
    const parts = Math.max(1, Math.min(atMost, last));
    const edge = (part: number) => Math.floor((last * part) / parts);
    // The last slice has no end: it includes rows added meanwhile.
    return Array.from({ length: parts }, (_, part) =>
      keysetSlice(edge(part), part === parts - 1 ? null : edge(part + 1)),
    );
  },
});

export const sourceStream = (
  stream: FamilyStream,
  {
    paging,
    pageSize = 100,
    perParent = {},
    changesWithParent = [],
    cheaperByPages = [],
    byParents = true,
    slices = true,
  }: StandInConnectorOptions,
): SourceStream<FamilyRecord, StandInSettings> => {
  const { name } = stream;
  const openFile = async ({ http }: Io<StandInSettings>, record: FamilyRecord): Promise<FileBody> => ({
    name: `file-${record.id}.bin`,
    contentType: "application/octet-stream",
    size: (record as unknown as { size: number | null }).size,
    open: async () => (await http.download({ url: `files/${name}/${record.id}` })).body,
  });
  const readPage = pagersOf(stream, pageSize)[paging];
  const parent = perParent[name];
  return {
    stream,
    ...(parent === undefined ? {} : { perParent: parent }),
    ...(changesWithParent.includes(name) ? { changesWithParent: true } : {}),
    ...(cheaperByPages.includes(name) ? { cheaperByPages: true } : {}),
    ...(byParents && parent === undefined && stream.parent !== null
      ? { readByParents: byParentsOf(stream, readPage) }
      : {}),
    delta: true,
    readPage,
    readByIds: async ({ http }, ids) => {
      const answer = await http.send({ url: `rows/${name}`, query: { id: ids } });
      return answer.json<{ rows: Row[] }>().rows.map((row) => stream.make(row));
    },
    sharedCursors: paging === "keyset",
    readIds: keysetPager<string, string, StandInSettings>({
      key: Number,
      toRecord: (id) => id,
      size: idsPerPage,
      fetch: async ({ http }, at, { after, size }) =>
        (
          await http.send({ url: `rows/${name}`, query: { fields: "id", after, size, ...filters(at) } })
        ).json<{ ids: string[] }>().ids,
    }),
    ...(paging === "keyset" && slices ? inSlices(name) : {}),
    count: async ({ http }) => {
      const { count } = (await http.send({ url: `rows/${name}/count` })).json<{ count: number }>();
      return { value: count, exact: true };
    },
    countWithin: async ({ http }, range) => {
      const query = { within: JSON.stringify(range) };
      return (await http.send({ url: `rows/${name}/count`, query })).json<{ count: number }>().count;
    },
    customFields: async ({ http }) => (await http.send({ url: `fields/${name}` })).json<CustomField[]>(),
    urlOf: urlOf(name),
    ...(stream.kind === "file" ? { openFile } : {}),
  };
};

import type { Family } from "@portage/contract";
import {
  type Connector,
  ConnectorError,
  type DestinationStream,
  type FamilyRecord,
  type FamilyStream,
  familyStreams,
  type FieldChange,
  type FileBody,
  type Http,
  type Io,
  keysetPager,
  kitVersion,
  linkPager,
  offsetPager,
  type Outcome,
  outcomeUnknown,
  pagePager,
  type SourceStream,
  tokenPager,
  type Write,
} from "@portage/connector-kit";
import { z } from "zod";
import type { Paging } from "./options.ts";

export interface StandInSettings {
  readonly instanceUrl: string;
  readonly token: string;
}

type Row = FamilyRecord;
type Found = { readonly id: string; readonly key: string; readonly record: FamilyRecord };

export interface StandInConnectorOptions {
  readonly family: Family;
  readonly paging: Paging;
  readonly pageSize?: number;
  readonly settles?: "upsert" | "find";
  readonly auth?: "secret" | "oauth2";
  readonly concurrency?: number;
}

const maxTitle = 255;
const titles = ["subject", "title", "name"];

const shortened = (record: FamilyRecord): { record: FamilyRecord; changes: FieldChange[] } => {
  const fields = record as unknown as Record<string, unknown>;
  const long = titles.filter((name) => typeof fields[name] === "string" && fields[name].length > maxTitle);
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

const sourceStream = (
  stream: FamilyStream,
  { paging, pageSize = 100 }: StandInConnectorOptions,
): SourceStream<FamilyRecord, StandInSettings> => {
  const { name } = stream;
  const rows = { key: (row: Row) => Number(row.id), toRecord: (row: Row) => stream.make(row) };
  type At = Parameters<SourceStream["readPage"]>[1];
  const filters = ({ since, parentId }: At) => ({ since: since?.toISOString(), parent: parentId });
  const list = async (http: Http, query: Record<string, string | number | null | undefined>) =>
    (await http.send({ url: `rows/${name}`, query })).json() as {
      rows: Row[];
      total?: number;
      next?: string | null;
    };
  const pagers = {
    keyset: keysetPager<Row, FamilyRecord, StandInSettings>({
      ...rows,
      size: pageSize,
      fetch: async ({ http }, at, { after, size }) =>
        (await list(http, { after, size, ...filters(at) })).rows,
    }),
    offset: offsetPager<Row, FamilyRecord, StandInSettings>({
      ...rows,
      size: pageSize,
      sortedByKey: true,
      fetch: ({ http }, at, { offset, size }) => list(http, { offset, size, ...filters(at) }),
    }),
    page: pagePager<Row, FamilyRecord, StandInSettings>({
      ...rows,
      size: pageSize,
      sortedByKey: true,
      fetch: ({ http }, at, { page, size }) => list(http, { page, size, ...filters(at) }),
    }),
    cursor: tokenPager<Row, FamilyRecord, StandInSettings>({
      ...rows,
      fetch: async ({ http }, at, cursor) => {
        const answer = await list(http, { cursor, size: pageSize, ...filters(at) });
        return { rows: answer.rows, next: answer.next ?? null };
      },
    }),
    link: linkPager<Row, FamilyRecord, StandInSettings>({
      ...rows,
      first: (at) => ({ url: `rows/${name}`, query: { size: pageSize, ...filters(at) } }),
      rows: (answer) => answer.json<{ rows: Row[] }>().rows,
    }),
  };
  const openFile = async ({ http }: Io<StandInSettings>, record: FamilyRecord): Promise<FileBody> => ({
    name: `file-${record.id}.bin`,
    contentType: "application/octet-stream",
    size: (record as unknown as { size: number | null }).size,
    open: async () => (await http.download({ url: `files/${name}/${record.id}` })).body,
  });
  return {
    stream,
    delta: true,
    readPage: pagers[paging],
    readByIds: async ({ http }, ids) => {
      const answer = await http.send({ url: `rows/${name}`, query: { id: ids } });
      return answer.json<{ rows: Row[] }>().rows.map((row) => stream.make(row));
    },
    count: async ({ http }) => {
      const { count } = (await http.send({ url: `rows/${name}/count` })).json<{ count: number }>();
      return { value: count, exact: true };
    },
    urlOf: ({ instanceUrl }, { id }) => `${instanceUrl}/show/${name}/${id}`,
    ...(stream.kind === "file" ? { openFile } : {}),
  };
};

const destinationStream = (
  stream: FamilyStream,
  { settles = "upsert" }: StandInConnectorOptions,
): DestinationStream<FamilyRecord, StandInSettings> => {
  const { name } = stream;
  const lookUp = async (http: Http, query: Record<string, readonly string[]>) =>
    (await http.send({ url: `written/${name}`, query })).json<Found[]>();
  const upload = async (http: Http, { key, file }: Write<FamilyRecord>) => {
    if (!file) return {};
    await http.send({ url: `uploads/${name}/${key}`, method: "PUT", file });
    return { upload: key };
  };
  return {
    stream,
    batchSize: 20,
    settles,
    duties: ["silent", "backdates", "keeps-author"],
    async find({ http }, asked) {
      const rows = asked.length === 0 ? [] : await lookUp(http, { key: asked.map(({ key }) => key) });
      return new Map(
        asked.map(({ key }) => [key, rows.filter((row) => row.key === key).map(({ id }) => id)]),
      );
    },
    async write({ http }, batch) {
      const made = batch.map(({ record }) => shortened(record));
      const items = await Promise.all(
        batch.map(async (each, index) => ({
          key: each.key,
          id: each.id,
          record: made[index]?.record,
          notify: false,
          keepDates: true,
          keepAuthor: true,
          ...(await upload(http, each)),
        })),
      );
      try {
        const answer = await http.send({
          url: `written/${name}`,
          method: "POST",
          json: items,
          idempotent: settles === "upsert",
        });
        const results = answer.json<({ id: string; record: FamilyRecord } | { error: string })[]>();
        return results.map((result, index): Outcome<FamilyRecord> => {
          if ("error" in result)
            return { kind: "rejected", code: result.error, message: "The stand-in did not take it." };
          return { kind: "written", ...result, changes: made[index]?.changes ?? [] };
        });
      } catch (error) {
        if (error instanceof ConnectorError && error.code === outcomeUnknown)
          return batch.map(() => ({ kind: "unknown", why: error.message }));
        throw error;
      }
    },
    async read({ http }, ids) {
      const rows = ids.length === 0 ? [] : await lookUp(http, { id: ids });
      return ids.map((id) => rows.find((row) => row.id === id)?.record ?? null);
    },
    ...(stream.kind === "file"
      ? {
          openFile: async ({ http }: Io<StandInSettings>, id: string): Promise<FileBody> => {
            const { size, body } = await http.download({ url: `uploads/${name}/${id}` });
            return { name: id, contentType: "application/octet-stream", size, open: () => body };
          },
        }
      : {}),
    remove: ({ http }, what) =>
      Promise.all(
        what.map(async ({ id, key }) => {
          const { status } = await http.send({
            url: `written/${name}/${id}`,
            method: "DELETE",
            query: { key },
            accept: [404, 409],
          });
          return status === 409
            ? { kind: "kept" as const, code: "key_differs", message: "Another record has this id now." }
            : { kind: "removed" as const };
        }),
      ),
    ...(stream.kind === "people"
      ? {
          people: async ({ http }: Io<StandInSettings>) =>
            (await http.send({ url: `people/${name}` }))
              .json<{ id: string; name: string; email: string | null; active: boolean }[]>()
              .map(({ id, name: full, email, active }) => ({ id, name: full, email, active })),
        }
      : {}),
  };
};

/** The stand-in's connector, for one family and one style of paging. */
export const standInConnector = (options: StandInConnectorOptions): Connector<StandInSettings> => ({
  manifest: {
    kit: kitVersion,
    name: "stand-in",
    label: "Stand-in",
    families: [options.family],
    roles: ["source", "destination"],
    settings: z.object({
      instanceUrl: z.url().meta({ title: "Address", description: "Where it runs." }),
      token: z.string().meta({ title: "Token", description: "As it was printed." }),
    }),
    auth:
      options.auth === "oauth2"
        ? {
            kind: "oauth2",
            authorizationUrl: ({ instanceUrl }) => `${instanceUrl}/oauth/authorize`,
            tokenUrl: ({ instanceUrl }) => `${instanceUrl}/oauth/token`,
            scopes: { read: ["read"], write: ["write"] },
            refreshTokens: "single-use",
            pkce: true,
          }
        : {
            kind: "secret",
            secrets: ["token"],
            headers: ({ token }) => ({ authorization: `Bearer ${token}` }),
          },
    hosts: ({ instanceUrl }) => ({ api: [instanceUrl] }),
    limits: [],
    quotaHeaders: { remaining: "x-remaining", reset: "x-reset", resetIs: "seconds-left" },
    concurrency: options.concurrency ?? 16,
    grace: { lateWriteMs: 500, findLagMs: 0 },
  },
  async check({ http }) {
    const me = (await http.send({ url: "me" })).json(
      z.object({ login: z.string(), company: z.string(), account: z.string() }),
    );
    return { signInName: me.login, accountName: me.company, accountId: me.account };
  },
  source: { [options.family]: familyStreams[options.family].map((each) => sourceStream(each, options)) },
  destination: {
    [options.family]: familyStreams[options.family].map((each) => destinationStream(each, options)),
  },
});

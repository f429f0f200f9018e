import {
  families,
  importEntry,
  importIdPattern,
  isFamily,
  isStorableText,
  isStorableTime,
  type StatusCode,
  statusCodes,
  statusTexts,
  validationErrors,
} from "@portage/contract";
import { z } from "zod";
import type { ImportFilter, ImportRecord, listImports } from "../../../features/imports/index.ts";
import type { LoadImportSummaries } from "../../../features/runs/index.ts";
import { type Answer, invalid, ok } from "../../answer.ts";
import type { Query } from "../../query.ts";
import type { Operation, PartnerRoute } from "../operation.ts";
import { toEntry } from "../represent.ts";
import { sandboxEntries } from "../sandbox/fixtures.ts";

export const listImportsOperation: Operation = {
  id: "listImports",
  method: "GET",
  path: "/imports",
  tag: "Imports",
  summary: "List imports",
  description:
    "Your imports that fulfil all that you ask for, newest first; cancelled and archived ones are left out. At least one " +
    "filter is needed. With a username you get all of its imports, unless you ask for pages with `limit`; without one, " +
    'pages of 100 unless `limit` says otherwise. The `Link` header with `rel="next"` leads to the next page.',
  query: [
    {
      name: "destination_username",
      description: "The name or e-mail address with which the customer signs in to the destination.",
      schema: z.string(),
    },
    {
      name: "status",
      description: "The status, as its code or its text.",
      schema: z.enum([...statusCodes, ...Object.values(statusTexts)]),
    },
    { name: "reference", description: "Your own id, as given at creation.", schema: z.string() },
    { name: "family", description: "The product family.", schema: z.enum(families) },
    {
      name: "created_after",
      description: "Created at this moment or later: a date, or a date and a time with its zone.",
      schema: z.union([z.iso.date(), z.iso.datetime({ offset: true })]),
    },
    { name: "limit", description: "How many at most.", schema: z.int().min(1).max(100) },
    { name: "cursor", description: "From the `Link` header of the page before.", schema: z.string() },
  ],
  answers: {
    200: {
      description: "The imports.",
      schema: z.array(importEntry),
      examples: (publicUrl) => ({ two_imports: sandboxEntries(publicUrl), none: [] }),
    },
    422: {
      description: "A parameter is missing or wrong.",
      schema: validationErrors,
      examples: () => ({ no_filter: { destination_username: ["can't be blank"] } }),
    },
  },
  sample: {
    query: { destination_username: "jo@acme.example" },
    sdk: `for await (const { id, status } of portage.imports.list({ destination_username: "jo@acme.example" }))
  console.log(id, status);`,
  },
};

export interface ImportsQuery {
  readonly filter: ImportFilter;
  readonly limit: number | null;
  readonly before: string | null;
}

const pageSize = 100;

const readStatus = (text: string): StatusCode | undefined =>
  statusCodes.find((code) => code === text || statusTexts[code] === text);

const moment = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })])
  .transform((text) => new Date(text))
  .refine(isStorableTime);

const encodeCursor = (id: string) => Buffer.from(id).toString("base64url");
const decodeCursor = (cursor: string) => Buffer.from(cursor, "base64url").toString();

/** Parses the query, or returns its errors. The sandbox validates with it too. */
export const readImportsQuery = (
  query: Query,
  idPattern: RegExp = importIdPattern,
): ImportsQuery | { readonly errors: Record<string, string[]> } => {
  const errors: Record<string, string[]> = {};
  const textOf = (name: string): string | null => query.get(name)?.text ?? null;
  const status = textOf("status");
  const references = query.get("reference")?.readings;
  const family = textOf("family");
  const since = query.get("created_after")?.readings;
  const username = query.get("destination_username");
  const isFiltered = ["status", "reference", "family", "created_after"].some((name) => query.has(name));
  if (username ? username.text.trim() === "" : !isFiltered) errors.destination_username = ["can't be blank"];
  else if (username && !isStorableText(username.text))
    errors.destination_username = ["has a character that is not allowed"];
  const code = status === null ? null : readStatus(status);
  if (code === undefined) errors.status = ["is not one of the statuses"];
  if (references && !references.every(isStorableText))
    errors.reference = ["has a character that is not allowed"];
  if (family !== null && !isFamily(family)) errors.family = [`must be one of ${families.join(", ")}`];
  const createdAfter = since?.map((text) => moment.safeParse(text)).find(({ success }) => success)?.data;
  if (since && !createdAfter)
    errors.created_after = ["must be a date such as 2026-02-27, or a time such as 2026-02-27T09:30:00Z"];
  const limit = textOf("limit");
  if (limit !== null && !/^([1-9]\d?|100)$/.test(limit)) errors.limit = ["must be a number from 1 to 100"];
  const cursor = textOf("cursor");
  const before = cursor === null ? null : decodeCursor(cursor);
  if (before !== null && !idPattern.test(before)) errors.cursor = ["is not one of ours"];
  if (Object.keys(errors).length > 0) return { errors };
  return {
    filter: {
      usernames: username?.readings,
      status: code ?? undefined,
      references,
      family: isFamily(family) ? family : undefined,
      createdAfter,
    },
    limit: limit === null ? (username ? null : pageSize) : Number(limit),
    before,
  };
};

const nextLink = (baseUrl: string, query: Query, cursor: string) => {
  const kept = [...query]
    .filter(([name]) => name !== "cursor")
    .map(([name, { encoded }]) => `${encodeURIComponent(name)}=${encoded}`);
  return `<${baseUrl}/imports?${[...kept, `cursor=${cursor}`].join("&")}>; rel="next"`;
};

interface Needs {
  readonly listImports: (
    partnerId: string,
    filter: ImportFilter,
    page: Parameters<typeof listImports>[3],
  ) => Promise<readonly ImportRecord[]>;
  readonly loadSummaries: LoadImportSummaries;
  readonly publicUrl: string;
  readonly baseUrl: string;
  /** Of the ids that are listed. Default: imports. */
  readonly idPattern?: RegExp;
}

export const listImportsRoute = ({
  listImports: list,
  loadSummaries,
  publicUrl,
  baseUrl,
  idPattern = importIdPattern,
}: Needs): PartnerRoute => ({
  operation: listImportsOperation,
  handle: async ({ partner, query }): Promise<Answer> => {
    const asked = readImportsQuery(query, idPattern);
    if ("errors" in asked) return invalid(asked.errors);
    const { filter, limit, before } = asked;
    // One extra row shows whether there is a next page.
    const found = await list(partner.id, filter, { limit: limit === null ? null : limit + 1, before });
    const page = limit === null ? found : found.slice(0, limit);
    const last = page.at(-1);
    const headers =
      last && found.length > page.length ? { link: nextLink(baseUrl, query, encodeCursor(last.id)) } : {};
    const shown = await loadSummaries(
      page.map(({ id, counted, state }) => ({ id, counted, liveRun: state.liveRun })),
    );
    // One that moved on since the list was read may no longer belong to it.
    const isStillAsked = ({ id }: ImportRecord) => {
      const { standing } = shown(id);
      return !standing || (!standing.closed && (filter.status ?? standing.status) === standing.status);
    };
    return ok(
      page.filter(isStillAsked).map((record) => toEntry(publicUrl, record, shown(record.id))),
      headers,
    );
  },
});

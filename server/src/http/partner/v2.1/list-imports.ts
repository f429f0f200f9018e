import {
  importEntry,
  importIdPattern,
  isStorableText,
  simulationIdPattern,
  validationErrors,
} from "@portage/contract";
import { z } from "zod";
import type { ImportRecord, listImports } from "../../../features/imports/index.ts";
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
  summary: "List imports of a customer",
  description:
    "The imports for a username in the destination tool, newest first; cancelled and archived ones are left out. All of " +
    'them, unless you ask for pages with `limit`: then follow the `Link` header with `rel="next"`.',
  query: [
    {
      name: "destination_username",
      description: "The name or e-mail address with which the customer signs in to the destination.",
      required: true,
      schema: z.string(),
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
      examples: () => ({ no_username: { destination_username: ["can't be blank"] } }),
    },
  },
  sample: {
    query: { destination_username: "jo@acme.example" },
    sdk: `for await (const { id, status } of portage.imports.list({ destination_username: "jo@acme.example" }))
  console.log(id, status);`,
  },
};

export interface ImportsQuery {
  readonly usernames: readonly string[];
  readonly limit: number | null;
  readonly before: string | null;
}

const encodeCursor = (id: string) => Buffer.from(id).toString("base64url");
const decodeCursor = (cursor: string) => Buffer.from(cursor, "base64url").toString();

/** Parses the query, or returns its errors. The sandbox validates with it too. */
export const readImportsQuery = (
  query: Query,
): ImportsQuery | { readonly errors: Record<string, string[]> } => {
  const errors: Record<string, string[]> = {};
  const username = query.get("destination_username");
  if (!username || username.text.trim() === "") errors.destination_username = ["can't be blank"];
  else if (!isStorableText(username.text))
    errors.destination_username = ["has a character that is not allowed"];
  const limit = query.get("limit")?.text ?? null;
  if (limit !== null && !/^([1-9]\d?|100)$/.test(limit)) errors.limit = ["must be a number from 1 to 100"];
  const cursor = query.get("cursor")?.text ?? null;
  const before = cursor === null ? null : decodeCursor(cursor);
  if (before !== null && !importIdPattern.test(before) && !simulationIdPattern.test(before))
    errors.cursor = ["is not one of ours"];
  if (Object.keys(errors).length > 0) return { errors };
  return { usernames: username?.readings ?? [], limit: limit === null ? null : Number(limit), before };
};

const nextLink = (baseUrl: string, target: string, cursor: string) => {
  const kept = target
    .slice(target.indexOf("?") + 1)
    .split("&")
    .filter((pair) => pair !== "" && !pair.startsWith("cursor="));
  return `<${baseUrl}/imports?${[...kept, `cursor=${cursor}`].join("&")}>; rel="next"`;
};

interface Needs {
  readonly listImports: (
    partnerId: string,
    usernames: readonly string[],
    page: Parameters<typeof listImports>[4],
  ) => Promise<readonly ImportRecord[]>;
  readonly standingsOf: LoadImportSummaries;
  readonly publicUrl: string;
  readonly baseUrl: string;
}

export const listImportsRoute = ({
  listImports: list,
  standingsOf,
  publicUrl,
  baseUrl,
}: Needs): PartnerRoute => ({
  operation: listImportsOperation,
  handle: async ({ partner, query, target }): Promise<Answer> => {
    const asked = readImportsQuery(query);
    if ("errors" in asked) return invalid(asked.errors);
    const { usernames, limit, before } = asked;
    // One extra row shows whether there is a next page.
    const found = await list(partner.id, usernames, { limit: limit === null ? null : limit + 1, before });
    const page = limit === null ? found : found.slice(0, limit);
    const last = page.at(-1);
    const headers =
      last && found.length > page.length ? { link: nextLink(baseUrl, target, encodeCursor(last.id)) } : {};
    const shown = await standingsOf(
      page.map(({ id, counted, state }) => ({ id, counted, liveRun: state.liveRun })),
    );
    return ok(
      page.map((record) => toEntry(publicUrl, record, shown(record.id))),
      headers,
    );
  },
});

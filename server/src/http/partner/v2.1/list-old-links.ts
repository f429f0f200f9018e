import { isStorableText, oldLink, validationErrors } from "@portage/contract";
import { z } from "zod";
import { oldLinkJson, type OldLinksCursor, type OldLinksService } from "../../../features/runs/index.ts";
import { type Answer, invalid, ok } from "../../answer.ts";
import type { Query } from "../../query.ts";
import { ownImportNotFound } from "../own-import-not-found.ts";
import type { Operation, PartnerRoute } from "../operation.ts";
import { sandboxOldLinks } from "../sandbox/fixtures.ts";

const maxLinks = 1_000;

export const listOldLinksOperation: Operation = {
  id: "listOldLinks",
  method: "GET",
  path: "/imports/:id/old-links",
  tag: "Imports",
  summary: "List what old records became",
  description:
    "The records of the old tool with the ids and addresses that they have in the destination, by kind and old id: from the " +
    "end of the full migration, for as long as the operator set for you. Empty before, and once the migration is undone. " +
    'Follow the `Link` header with `rel="next"`. With `address`, at most the one record that it means. To redirect people, ' +
    "send them to `/r/{id}/{old address}` of this service instead: it needs no token.",
  query: [
    {
      name: "address",
      description:
        "An address in the old tool, `tickets/123` (a kind and an id), or a number such as `123` or `#123`.",
      schema: z.string(),
    },
    {
      name: "limit",
      description: `How many at most; ${maxLinks} unless given.`,
      schema: z.int().min(1).max(maxLinks),
    },
    { name: "cursor", description: "From the `Link` header of the page before.", schema: z.string() },
  ],
  answers: {
    200: {
      description: "The records that have a copy.",
      schema: z.array(oldLink),
      examples: () => ({ two_tickets: sandboxOldLinks, none: [] }),
    },
    404: {
      description: "No such import of yours, or it was cancelled or archived.",
      problem: ownImportNotFound(),
    },
    422: {
      description: "A parameter is wrong.",
      schema: validationErrors,
      examples: () => ({ wrong_limit: { limit: [`must be a number from 1 to ${maxLinks}`] } }),
    },
  },
  sample: {
    id: "migration_completed",
    query: { limit: "100" },
    sdk: `for await (const { old_id, new_address } of portage.imports.oldLinks("migration_completed"))
  console.log(old_id, new_address);`,
  },
};

interface OldLinksQuery {
  /** Every reading of the one that was asked for; null: none was. */
  readonly addresses: readonly string[] | null;
  readonly limit: number;
  readonly from: OldLinksCursor | null;
}

const encodeCursor = ({ stream, after }: OldLinksCursor) =>
  Buffer.from(JSON.stringify([stream, after])).toString("base64url");

const decodeCursor = (cursor: string): OldLinksCursor | undefined => {
  try {
    const [stream, after] = z
      .tuple([z.string(), z.string()])
      .parse(JSON.parse(Buffer.from(cursor, "base64url").toString()));
    return isStorableText(after) ? { stream, after } : undefined;
  } catch {
    return undefined;
  }
};

/** Parses the query, or returns its errors. The sandbox validates with it too. */
export const readOldLinksQuery = (
  query: Query,
): OldLinksQuery | { readonly errors: Record<string, string[]> } => {
  const errors: Record<string, string[]> = {};
  const limit = query.get("limit")?.text ?? String(maxLinks);
  if (!/^([1-9]\d{0,2}|1000)$/.test(limit)) errors.limit = [`must be a number from 1 to ${maxLinks}`];
  const cursor = query.get("cursor")?.text;
  const from = cursor === undefined ? null : decodeCursor(cursor);
  if (from === undefined) errors.cursor = ["is not one of ours"];
  const addresses = query.get("address")?.readings ?? null;
  if (addresses?.[0]?.trim() === "") errors.address = ["can't be blank"];
  return from === undefined || Object.keys(errors).length > 0
    ? { errors }
    : { addresses, limit: Number(limit), from };
};

interface Needs {
  readonly isKnown: (partnerId: string, importId: string) => Promise<boolean>;
  readonly oldLinks: Pick<OldLinksService, "resolve" | "list">;
  readonly baseUrl: string;
}

export const listOldLinksRoute = ({ isKnown, oldLinks, baseUrl }: Needs): PartnerRoute => ({
  operation: listOldLinksOperation,
  handle: async ({ partner, importId, query }): Promise<Answer> => {
    const asked = readOldLinksQuery(query);
    if ("errors" in asked) return invalid(asked.errors);
    if (!(await isKnown(partner.id, importId))) throw ownImportNotFound();
    const { addresses, limit, from } = asked;
    for (const address of addresses ?? []) {
      const found = await oldLinks.resolve(importId, address);
      if (found) return ok([oldLinkJson(found)]);
    }
    if (addresses) return ok([]);
    const { links, next } = await oldLinks.list(importId, { limit, from });
    const link =
      next && `<${baseUrl}/imports/${importId}/old-links?limit=${limit}&cursor=${encodeCursor(next)}>`;
    return ok(links.map(oldLinkJson), link === null ? {} : { link: `${link}; rel="next"` });
  },
});

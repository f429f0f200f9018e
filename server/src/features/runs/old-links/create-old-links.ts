import type { ToolRegistry } from "../../tools/index.ts";
import type { Database } from "../../../platform/db.ts";
import { csvLine } from "../../../platform/csv-line.ts";
import { newAddressOf, oldAddressOf, oldRecord } from "./old-addresses.ts";
import { findNewId, findOldLinks, listNewIds } from "./store-old-links.ts";

/** A record of the old tool and the one that it became. */
export interface OldLink {
  readonly stream: string;
  readonly oldId: string;
  /** Null: the old tool has no page for it that its id alone leads to. */
  readonly oldAddress: string | null;
  readonly newId: string;
  readonly newAddress: string | null;
}

/** Where a list continues: after this id of this stream. */
export interface OldLinksCursor {
  readonly stream: string;
  readonly after: string;
}

export interface OldLinksPage {
  readonly links: readonly OldLink[];
  readonly next: OldLinksCursor | null;
}

export interface OldLinksSummary {
  readonly until: Date;
  /** Where the customer's old tool was; null: it has no address of its own. */
  readonly oldUrl: string | null;
  /** Whether old addresses can be recognised, not only ids. */
  readonly readsAddresses: boolean;
}

export interface OldLinksService {
  /** Undefined: no old address of the import leads anywhere. */
  find(importId: string): Promise<OldLinksSummary | undefined>;
  /** The record that an old address or id became. */
  resolve(importId: string, address: string): Promise<OldLink | null>;
  /** The record that a browser is led to: that one, or what it is shown in if it has no address of its own. */
  follow(importId: string, address: string): Promise<OldLink | null>;
  list(
    importId: string,
    page: { readonly limit: number; readonly from: OldLinksCursor | null },
  ): Promise<OldLinksPage>;
  /** All of them, a few pages in memory at a time. Undefined: there are none. */
  csv(importId: string): Promise<AsyncIterable<string> | undefined>;
  json(importId: string): Promise<AsyncIterable<string> | undefined>;
}

const rowsPerPage = 2_000;
/** Rows read for one answer: among millions without a copy a page comes back short rather than late. */
const maxLookedAt = 20_000;

const columns = ["stream", "old_id", "old_address", "new_id", "new_address"] as const;

/** The link as files and the partner's API have it. */
export const oldLinkJson = ({ stream, oldId, oldAddress, newId, newAddress }: OldLink) => ({
  stream,
  old_id: oldId,
  old_address: oldAddress,
  new_id: newId,
  new_address: newAddress,
});

/** Leads from old addresses to new ones, for as long as the partner's days last. Calls no tool. */
export const createOldLinks = (db: Database, registry: ToolRegistry): OldLinksService => {
  /** Undefined: there are no links, or a tool's package is no longer installed. */
  const open = async (importId: string) => {
    const links = await findOldLinks(db, importId);
    const source = links && registry.find(links.sourceTool);
    const destination = links && registry.find(links.destinationTool);
    if (!links || !source || !destination) return undefined;
    const oldAddress = oldAddressOf(source, links);
    const newAddress = newAddressOf(destination, links);
    const linkOf = (stream: string, oldId: string, newId: string): OldLink => ({
      stream,
      oldId,
      oldAddress: oldAddress(stream, oldId),
      newId,
      newAddress: newAddress(stream, newId),
    });
    const streams = (source.source?.[links.family] ?? []).map(({ stream }) => stream.name);
    return { links, source, streams, linkOf };
  };
  type Open = NonNullable<Awaited<ReturnType<typeof open>>>;

  const pageOf = async ({ links, linkOf }: Open, stream: string, after: string, limit: number) => {
    const { rows, last } = await listNewIds(db, links, { stream, after, limit });
    return { links: rows.map(({ oldId, newId }) => linkOf(stream, oldId, newId)), last };
  };

  /** Also yields empty pages: the generator notices between two of them that the reader has stopped. */
  const pages = async function* (opened: Open) {
    for (const stream of opened.streams)
      for (let after: string | null = ""; after !== null; ) {
        const page: Awaited<ReturnType<typeof pageOf>> = await pageOf(opened, stream, after, rowsPerPage);
        yield page.links;
        after = page.last;
      }
  };

  const csvOf = async function* (opened: Open) {
    yield csvLine(columns);
    for await (const page of pages(opened))
      yield page
        .map((link) => csvLine(Object.values(oldLinkJson(link)).map((value) => value ?? "")))
        .join("");
  };

  const jsonOf = async function* (opened: Open) {
    let before = "[";
    for await (const page of pages(opened)) {
      if (page.length === 0) continue;
      yield `${before}\n${page.map((link) => JSON.stringify(oldLinkJson(link))).join(",\n")}`;
      before = ",";
    }
    yield before === "[" ? "[]\n" : "\n]\n";
  };

  const asked = async (importId: string, address: string) => {
    const opened = await open(importId);
    if (!opened) return null;
    const { links, source, linkOf } = opened;
    const record = oldRecord(
      { connector: source, settings: links.sourceSettings, family: links.family },
      address,
    );
    if (!record) return null;
    const linkTo = async (at: { readonly stream: string; readonly id: string }) => {
      const newId = await findNewId(db, links, at);
      return newId === null ? null : linkOf(at.stream, at.id, newId);
    };
    return { record, linkTo };
  };

  return {
    find: async (importId) => {
      const opened = await open(importId);
      if (!opened) return undefined;
      const { instanceUrl } = opened.links.sourceSettings;
      return {
        until: opened.links.until,
        oldUrl: typeof instanceUrl === "string" ? instanceUrl : null,
        readsAddresses: opened.source.recordAt !== undefined,
      };
    },
    resolve: async (importId, address) => {
      const found = await asked(importId, address);
      return found && found.linkTo(found.record);
    },
    follow: async (importId, address) => {
      const found = await asked(importId, address);
      if (!found) return null;
      const own = await found.linkTo(found.record);
      const { parent } = found.record;
      return own?.newAddress == null && parent ? found.linkTo(parent) : own;
    },
    list: async (importId, { limit, from }) => {
      const opened = await open(importId);
      const first = from === null ? 0 : (opened?.streams.indexOf(from.stream) ?? -1);
      if (!opened || first < 0) return { links: [], next: null };
      const found: OldLink[] = [];
      let looked = 0;
      for (const stream of opened.streams.slice(first)) {
        let after: string | null = from?.stream === stream ? from.after : "";
        while (after !== null) {
          const page: Awaited<ReturnType<typeof pageOf>> = await pageOf(opened, stream, after, rowsPerPage);
          const wanted = page.links.slice(0, limit - found.length);
          found.push(...wanted);
          const last = wanted.at(-1);
          if (found.length === limit && last) return { links: found, next: { stream, after: last.oldId } };
          after = page.last;
          looked += rowsPerPage;
          if (after !== null && looked >= maxLookedAt) return { links: found, next: { stream, after } };
        }
      }
      return { links: found, next: null };
    },
    csv: async (importId) => {
      const opened = await open(importId);
      return opened && csvOf(opened);
    },
    json: async (importId) => {
      const opened = await open(importId);
      return opened && jsonOf(opened);
    },
  };
};

// Hot: every request to an old address is looked up here.
import type { Family } from "@portage/contract";
import type { Database } from "../../../platform/db.ts";
import { isThere, standsAt, stateName } from "../ledger/row-state.ts";

type Settings = Readonly<Record<string, unknown>>;

/** What leads from an import's old addresses to its new ones, without a sign-in. */
export interface OldLinkSettings {
  readonly importId: string;
  readonly family: Family;
  readonly sourceTool: string;
  /** Without secrets. */
  readonly sourceSettings: Settings;
  readonly destinationTool: string;
  readonly destinationSettings: Settings;
  /** By stream, with `{id}`: addresses that only the destination's instance tells. */
  readonly destinationUrls: Readonly<Record<string, string>>;
  readonly leaf: string;
  readonly until: Date;
}

/** Keeps or replaces an import's row. `restart`: the partner's days count from now. */
export const saveOldLinks = async (
  db: Database,
  links: Omit<OldLinkSettings, "until">,
  restart: boolean,
): Promise<void> => {
  const json = (value: object) => JSON.stringify(value);
  await db.pool.query(
    `insert into old_links as o (import_id, partner_id, family, source_tool, source_settings, destination_tool,
       destination_settings, destination_urls, ledger_leaf)
     select id, partner_id, $2, $3, $4::jsonb, $5, $6::jsonb, $7::jsonb, $8 from imports where id = $1
     on conflict (import_id) do update set source_tool = excluded.source_tool,
       source_settings = excluded.source_settings, destination_tool = excluded.destination_tool,
       destination_settings = excluded.destination_settings, destination_urls = excluded.destination_urls,
       since = case when $9 then now() else o.since end`,
    [
      links.importId,
      links.family,
      links.sourceTool,
      json(links.sourceSettings),
      links.destinationTool,
      json(links.destinationSettings),
      json(links.destinationUrls),
      links.leaf,
      restart,
    ],
  );
};

/**
 * The links of an import whose copies are in the destination. Undefined: it is unknown, cancelled, erased or undone, it has moved no
 * more than a sample, or the partner's days are over.
 */
export const findOldLinks = async (db: Database, importId: string): Promise<OldLinkSettings | undefined> => {
  const { rows } = await db.pool.query<OldLinkSettings>({
    name: "find-old-links",
    text: `select o.import_id as "importId", o.family, o.source_tool as "sourceTool", o.source_settings as "sourceSettings",
             o.destination_tool as "destinationTool", o.destination_settings as "destinationSettings",
             o.destination_urls as "destinationUrls", o.ledger_leaf as "leaf",
             o.since + p.old_links_days * interval '1 day' as "until"
           from old_links o join imports i on i.id = o.import_id join partners p on p.id = o.partner_id
           where o.import_id = $1 and o.since > now() - p.old_links_days * interval '1 day'
             and i.full_copy <> 'none' and i.status <> 'undo_in_progress' and i.closed is distinct from 'cancelled'`,
    values: [importId],
  });
  return rows[0];
};

interface Row {
  readonly sourceId: string;
  readonly state: number;
  readonly destId: string | null;
  readonly reason: string | null;
  readonly detail: string | null;
}

/** The record that the old one became; null: it has no copy. Of a person who was matched anew, the one chosen last. */
const newIdOf = ({ state, ...row }: Row): string | null => (isThere(stateName(state)) ? standsAt(row) : null);

export const findNewId = async (
  db: Database,
  { importId, leaf }: Pick<OldLinkSettings, "importId" | "leaf">,
  { stream, id }: { readonly stream: string; readonly id: string },
): Promise<string | null> => {
  const { rows } = await db.pool.query<Row>({
    name: `find-new-id-${leaf}`,
    text: `select source_id as "sourceId", state, dest_id as "destId", reason, detail from ${leaf}
           where import_id = $1 and stream = $2 and source_id = $3`,
    values: [importId, stream, id],
  });
  return rows[0] ? newIdOf(rows[0]) : null;
};

/** A page of a stream's records that have a copy. It counts rows read, so that each query stays short. */
export const listNewIds = async (
  db: Database,
  { importId, leaf }: Pick<OldLinkSettings, "importId" | "leaf">,
  { stream, after, limit }: { readonly stream: string; readonly after: string; readonly limit: number },
): Promise<{
  readonly rows: readonly { readonly oldId: string; readonly newId: string }[];
  readonly last: string | null;
}> => {
  const { rows } = await db.pool.query<Row>({
    name: `list-new-ids-${leaf}`,
    text: `select source_id as "sourceId", state, dest_id as "destId", reason, detail from ${leaf}
           where import_id = $1 and stream = $2 and source_id > $3 order by source_id limit $4`,
    values: [importId, stream, after, limit],
  });
  return {
    rows: rows.flatMap((row) => {
      const newId = newIdOf(row);
      return newId === null ? [] : [{ oldId: row.sourceId, newId }];
    }),
    last: rows.length < limit ? null : (rows.at(-1)?.sourceId ?? null),
  };
};

/** Deletes the rows whose days are over. */
export const deleteExpiredOldLinks = async (db: Database): Promise<number> => {
  const { rowCount } = await db.pool.query(
    `delete from old_links o using partners p
     where o.partner_id = p.id and o.since <= now() - p.old_links_days * interval '1 day'`,
  );
  return rowCount ?? 0;
};

import type { DatabaseSync } from "node:sqlite";
import type { PortageEvent } from "@portage/sdk";
import type { Store } from "./store.ts";

/** The desk's data about an import: its own request, and the later events. */
export interface Move {
  readonly id: number;
  /** Generated with the form, so that a form that is sent twice starts one import. */
  readonly formKey: string;
  readonly sourceTool: string;
  readonly importId: string | null;
  readonly redirectUrl: string | null;
  readonly status: string | null;
  readonly items: Readonly<Record<string, number>>;
  readonly decision: "undecided" | "asked" | "accepted" | "rejected";
  readonly needsAttention: boolean;
  readonly closed: boolean;
  readonly createdAt: string;
}

type Row = Record<string, unknown>;

const moveOf = (row: Row | undefined): Move | null =>
  row
    ? {
        id: Number(row.id),
        formKey: String(row.form_key),
        sourceTool: String(row.source_tool),
        importId: row.import_id as string | null,
        redirectUrl: row.redirect_url as string | null,
        status: row.status as string | null,
        items: JSON.parse(String(row.items)) as Record<string, number>,
        decision: row.decision as Move["decision"],
        needsAttention: row.needs_attention === 1,
        closed: row.closed === 1,
        createdAt: String(row.created_at),
      }
    : null;

/** The import's reference, so that events find their move even before the desk knows the import's id. */
export const referenceOf = (id: number): string => `desk-move-${id}`;

export const findMove = (database: DatabaseSync, id: string): Move | null =>
  /^[1-9]\d{0,14}$/.test(id) ? moveOf(database.prepare("select * from moves where id = ?").get(id)) : null;

export const listMoves = (database: DatabaseSync): readonly Move[] =>
  database
    .prepare("select * from moves order by id desc limit 50")
    .all()
    .flatMap((row) => moveOf(row) ?? []);

/** Returns the same move for the same form. */
export const beginMove = (
  database: DatabaseSync,
  { formKey, sourceTool, now }: { formKey: string; sourceTool: string; now: string },
): Move => {
  database
    .prepare("insert or ignore into moves (form_key, source_tool, created_at) values (?, ?, ?)")
    .run(formKey, sourceTool, now);
  const made = moveOf(database.prepare("select * from moves where form_key = ?").get(formKey));
  if (!made) throw new Error("The move is gone.");
  return made;
};

export const setCreated = (
  database: DatabaseSync,
  id: number,
  created: { readonly id: string; readonly redirect_url: string },
): void => {
  // An event may have arrived first: its status is the newer one.
  database
    .prepare(
      "update moves set import_id = ?, redirect_url = ?, status = coalesce(status, 'Collecting credentials') where id = ?",
    )
    .run(created.id, created.redirect_url, id);
};

export const setDecision = (database: DatabaseSync, id: number, decision: Move["decision"]): void =>
  void database.prepare("update moves set decision = ? where id = ?").run(decision, id);

/** Deletes a move whose import was refused. */
export const dropMove = (database: DatabaseSync, id: number): void =>
  void database.prepare("delete from moves where id = ? and import_id is null").run(id);

const change = (database: DatabaseSync, event: PortageEvent): number | null => {
  const isNew =
    database.prepare("insert or ignore into seen_events (id) values (?)").run(event.event_id).changes === 1;
  const number = /^desk-move-(\d+)$/.exec(event.reference ?? "")?.[1];
  const move = isNew && number ? findMove(database, number) : null;
  // A reference proves nothing: an import belongs to one move only.
  if (!move || (move.importId !== null && move.importId !== event.id)) return null;
  const asks = event.type === "import.full_requested" && move.decision === "undecided";
  database
    .prepare(
      `update moves set import_id = ?, status = ?, items = ?, decision = ?, needs_attention = ?, closed = ? where id = ?`,
    )
    .run(
      event.id,
      event.status,
      JSON.stringify(event.items),
      asks ? "asked" : move.decision,
      event.type === "import.attention_required" ? 1 : 0,
      event.type === "import.closed" || move.closed ? 1 : 0,
      move.id,
    );
  return move.id;
};

/** Applies an event once. Returns the changed move; null for a repeated event, or one without a move. */
export const applyEvent = ({ together, database }: Store, event: PortageEvent): number | null =>
  together(() => change(database, event));

export const caughtUpTo = (database: DatabaseSync): string | undefined =>
  database.prepare("select event_id from caught_up").get()?.event_id as string | undefined;

export const setCaughtUp = (database: DatabaseSync, eventId: string): void =>
  void database
    .prepare(
      "insert into caught_up values (1, ?) on conflict (one) do update set event_id = excluded.event_id",
    )
    .run(eventId);

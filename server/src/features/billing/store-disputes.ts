import { sql } from "kysely";
import type { Database, Transaction } from "../../platform/db.ts";

export interface Dispute {
  readonly provider: string;
  readonly reference: string;
  readonly checkoutId: string;
  readonly importId: string;
  readonly state: "inquiry" | "open" | "won" | "lost" | "closed";
  readonly reason: string;
  readonly amount: number;
  readonly currency: string;
  /** What the bank has taken back and not returned. */
  readonly withdrawn: number;
  readonly postings: number;
  readonly openedAt: Date;
  readonly changedAt: Date;
}

const columns = [
  "provider",
  "reference",
  "checkoutId",
  "importId",
  "state",
  "reason",
  "amount",
  "currency",
  "withdrawn",
  "postings",
  "openedAt",
  "changedAt",
] as const;

export const lockDispute = async (
  tx: Transaction,
  provider: string,
  reference: string,
): Promise<Dispute | undefined> =>
  (await tx
    .selectFrom("disputes")
    .select(columns)
    .where("provider", "=", provider)
    .where("reference", "=", reference)
    .forUpdate()
    .executeTakeFirst()) as Dispute | undefined;

export const saveDispute = async (tx: Transaction, dispute: Omit<Dispute, "changedAt">): Promise<void> => {
  const { state, reason, amount, currency, withdrawn, postings } = dispute;
  await tx
    .insertInto("disputes")
    .values(dispute)
    .onConflict((conflict) =>
      conflict
        .columns(["provider", "reference"])
        .doUpdateSet({ state, reason, amount, currency, withdrawn, postings, changedAt: sql<Date>`now()` }),
    )
    .execute();
};

interface DisputesQuery {
  readonly importId: string | null;
  readonly undecided: boolean;
  /** Only disputes older than this one. */
  readonly after?: string | null | undefined;
  readonly limit: number;
}

export const hasDispute = async (db: Database, reference: string): Promise<boolean> =>
  (await db.sql
    .selectFrom("disputes")
    .select("reference")
    .where("reference", "=", reference)
    .executeTakeFirst()) !== undefined;

/** Disputes, newest first: of one import, or of all. */
export const listDisputes = async (
  db: Database,
  { importId, undecided, after = null, limit }: DisputesQuery,
): Promise<readonly Dispute[]> => {
  let query = db.sql.selectFrom("disputes").select(columns);
  if (importId !== null) query = query.where("importId", "=", importId);
  if (undecided) query = query.where("state", "in", ["inquiry", "open"]);
  if (after !== null)
    query = query.where(
      sql<boolean>`(opened_at, reference) < (select opened_at, reference from disputes where reference = ${after} limit 1)`,
    );
  return (await query
    .orderBy("openedAt", "desc")
    .orderBy("reference", "desc")
    .limit(limit)
    .execute()) as unknown as readonly Dispute[];
};

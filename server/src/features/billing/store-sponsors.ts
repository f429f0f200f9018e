import { sql } from "kysely";
import type { Database, Transaction } from "../../platform/db.ts";
import type { MoneyActor } from "../billing-ledger/index.ts";
import type { SponsorRuleSet } from "./sponsor-rules.ts";

export const saveRules = async (db: Database, partnerId: string, rules: SponsorRuleSet): Promise<void> => {
  const row = { ...rules, rules: JSON.stringify(rules.rules), changedAt: sql<Date>`now()` };
  await db.sql
    .insertInto("sponsorRules")
    .values({ partnerId, ...row })
    .onConflict((conflict) => conflict.column("partnerId").doUpdateSet(row))
    .execute();
};

export const findRules = async (db: Database, partnerId: string): Promise<SponsorRuleSet | undefined> =>
  (await db.sql
    .selectFrom("sponsorRules")
    .select(["rules", "monthlyBudget", "currency"])
    .where("partnerId", "=", partnerId)
    .executeTakeFirst()) as SponsorRuleSet | undefined;

/** Locks the rules, so that two imports of a partner never spend the same remaining budget. */
export const lockRules = async (tx: Transaction, partnerId: string): Promise<SponsorRuleSet | undefined> =>
  (await tx
    .selectFrom("sponsorRules")
    .select(["rules", "monthlyBudget", "currency"])
    .where("partnerId", "=", partnerId)
    .forUpdate()
    .executeTakeFirst()) as SponsorRuleSet | undefined;

/** What rules promised this month (UTC) and still stands. A separate query, so that it reads after the lock. */
export const promisedThisMonth = async (
  tx: Transaction,
  partnerId: string,
  currency: string,
): Promise<number> => {
  const { rows } = await sql<{ promised: number }>`
    select coalesce(sum(d.cost), 0)::bigint as promised
    from sponsor_decisions d join imports i on i.id = d.import_id
    where d.partner_id = ${partnerId} and d.rule is not null and d.decision = 'accepted' and d.currency = ${currency}
      and d.at >= date_trunc('month', now(), 'UTC') and i.sponsorship = 'accepted'`.execute(tx);
  return rows[0]?.promised ?? 0;
};

export interface NewDecision {
  readonly importId: string;
  readonly decision: "accepted" | "rejected";
  readonly actor: MoneyActor;
  readonly rule: string | null;
}

/** Records who decided, with the current quote's records and cost, if there is a quote. */
export const insertDecision = async (
  tx: Transaction,
  { importId, decision, actor, rule }: NewDecision,
): Promise<void> => {
  await sql`
    insert into sponsor_decisions (import_id, partner_id, decision, actor, rule, records, cost, currency)
    select i.id, i.partner_id, ${decision}, ${JSON.stringify(actor)}::jsonb, ${rule}, q.records, q.amount, q.currency
    from imports i left join quotes q on q.import_id = i.id and q.replaced_at is null where i.id = ${importId}`.execute(
    tx,
  );
};

export interface Decision {
  readonly decision: "accepted" | "rejected";
  readonly actor: MoneyActor;
  readonly rule: string | null;
  readonly records: number | null;
  readonly cost: number | null;
  readonly currency: string | null;
  readonly at: Date;
}

/** Oldest first; empty for another partner's import. */
export const listDecisions = async (
  db: Database,
  partnerId: string,
  importId: string,
): Promise<readonly Decision[]> =>
  (await db.sql
    .selectFrom("sponsorDecisions")
    .select(["decision", "actor", "rule", "records", "cost", "currency", "at"])
    .where("importId", "=", importId)
    .where("partnerId", "=", partnerId)
    .orderBy("id")
    .execute()) as unknown as readonly Decision[];

/** Null: the partner got a reminder within the last day. */
export const takeReminder = async (tx: Transaction, importId: string): Promise<Date | null> => {
  const { rows } = await sql<{ sentAt: Date }>`
    insert into partner_reminders (import_id) values (${importId})
    on conflict (import_id) do update set sent_at = now()
      where partner_reminders.sent_at <= now() - interval '1 day'
    returning sent_at`.execute(tx);
  return rows[0]?.sentAt ?? null;
};

export const findReminder = async (
  db: Database,
  importId: string,
): Promise<{ readonly sentAt: Date; readonly recent: boolean } | undefined> =>
  db.sql
    .selectFrom("partnerReminders")
    .select(["sentAt", sql<boolean>`sent_at > now() - interval '1 day'`.as("recent")])
    .where("importId", "=", importId)
    .executeTakeFirst();

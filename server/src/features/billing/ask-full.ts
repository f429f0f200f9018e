import type { Payer } from "@portage/contract";
import type { Database, Transaction } from "../../platform/db.ts";
import { isPaid, lockImport, type Moved, moveWithin } from "../imports/index.ts";
import { decideByRules, planTagOf } from "./sponsor-rules.ts";
import { findQuote } from "./store-quotes.ts";
import { insertDecision, lockRules, promisedThisMonth } from "./store-sponsors.ts";

interface FullRequest {
  readonly importId: string;
  readonly partnerId: string;
  readonly reference: string | null;
  readonly payer: Payer;
}

/** Applies the partner's sponsor rules if the customer waits for the decision and the cost is known. */
const answerByRules = async (tx: Transaction, asked: FullRequest): Promise<Moved | null> => {
  const { importId, partnerId } = asked;
  const locked = await lockImport(tx, importId);
  if (!locked || locked.state.closed !== null || !locked.state.asked) return null;
  if (asked.payer !== "partner_decides" || isPaid(locked.state) || locked.state.sponsorship !== "undecided")
    return null;
  const quote = await findQuote(tx, importId);
  const rules = quote && !quote.expired ? await lockRules(tx, partnerId) : undefined;
  if (!quote || !rules) return null;
  const decided = decideByRules(
    rules,
    {
      records: quote.records,
      cost: quote.amount,
      currency: quote.currency,
      planTag: planTagOf(asked.reference),
    },
    await promisedThisMonth(tx, partnerId, rules.currency),
  );
  if (decided.kind === "leave") return null;
  const { rule } = decided;
  return moveWithin(
    tx,
    { type: "sponsorship_accepted" },
    {
      importId,
      partnerId,
      actor: { kind: "system" },
      alongside: async (inside) => {
        await insertDecision(inside, { importId, decision: "accepted", actor: { kind: "rule", rule }, rule });
        return true;
      },
    },
  );
};

/** Records that the customer asks for the full migration; a matching sponsor rule accepts in the same transaction. */
export const askFull = (db: Database, asked: FullRequest): Promise<Moved> =>
  db.sql.transaction().execute(async (tx) => {
    const moved = await moveWithin(
      tx,
      { type: "full_asked", payer: asked.payer },
      { importId: asked.importId, partnerId: asked.partnerId, actor: { kind: "customer" } },
    );
    if (moved.kind === "missing" || moved.kind === "refused") return moved;
    const answered = await answerByRules(tx, asked);
    return answered?.kind === "moved" ? answered : moved;
  });

/** Applies the rules to an import whose customer asked before the cost was known. */
export const applyRules = (db: Database, asked: FullRequest): Promise<Moved | null> =>
  db.sql.transaction().execute((tx) => answerByRules(tx, asked));

import type { Transaction } from "../../platform/db.ts";
import type { Posting } from "./posting.ts";

export const insertPosting = async (
  tx: Transaction,
  { kind, reference, importId, partnerId, currency, actor, lines }: Posting,
): Promise<boolean> => {
  const posted = await tx
    .insertInto("moneyPostings")
    .values({ kind, reference, importId, actor: JSON.stringify(actor) })
    .onConflict((conflict) => conflict.column("reference").doNothing())
    .returning("id")
    .executeTakeFirst();
  if (!posted) return false;
  if (lines.length > 0)
    await tx
      .insertInto("moneyEntries")
      .values(
        lines.map(({ account, amount }) => ({
          postingId: posted.id,
          importId,
          partnerId,
          account,
          amount,
          currency,
        })),
      )
      .execute();
  return true;
};

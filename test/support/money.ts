import { post } from "../../server/src/features/billing-ledger/index.ts";
import type { Database } from "../../server/src/platform/db.ts";

/** Posts a customer's payment, or a refund (negative), and nothing else. */
export const givenMoney = (db: Database, importId: string, amount: number, reference: string) =>
  db.sql.transaction().execute(async (tx) => {
    const { partnerId } = await tx
      .selectFrom("imports")
      .select("partnerId")
      .where("id", "=", importId)
      .executeTakeFirstOrThrow();
    await post(tx, {
      kind: "paid",
      reference,
      importId,
      partnerId,
      currency: "eur",
      actor: { kind: "operator" },
      lines: [
        { account: "customer_paid", amount },
        { account: "at_provider", amount: -amount },
      ],
    });
  });

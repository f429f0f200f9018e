import type { Signer } from "../../platform/sign.ts";
import type { Erasure } from "./store.ts";

/** What stays after an erasure, in which tables, why, and until when. */
export const keptAfterErasure = [
  {
    what: "prices, payments, refunds, disputes, charges and their ledger, by the import's id",
    tables: [
      "quotes",
      "checkouts",
      "refunds",
      "disputes",
      "money_postings",
      "money_entries",
      "sponsor_charges",
      "sponsor_decisions",
    ],
    why: "Accounting law requires records of payments.",
    until: "as the operator's bookkeeping requires",
  },
  {
    what: "the import's id, partner, tools, status and times, and the types and times of its changes",
    tables: ["imports", "audit", "erasures"],
    why: "The payments refer to it, and the erasure must be demonstrable.",
    until: "the audit log: 400 days after the import was closed; the rest: like the payments",
  },
  {
    what: "events and webhook deliveries: ids, statuses and times",
    tables: ["events", "webhook_deliveries"],
    why: "The partner reads them to keep its own records in step.",
    until: "30 days after the event",
  },
  {
    what: "orders of work, by the import's id, that were carried out",
    tables: ["outbox"],
    why: "An order is carried out once, also after an interruption.",
    until: "30 days after each was carried out",
  },
  {
    what: "calls of the operator's staff about the import: who, what, when",
    tables: ["staff_audit"],
    why: "The operator must be able to show who saw or changed what, this erasure included.",
    until: "400 days after the call",
  },
  {
    what: "answers to idempotency keys, sealed",
    tables: ["idempotency_keys"],
    why: "A repeated request must get the same answer.",
    until: "24 hours after the request",
  },
  {
    what: "the ids of the accounts in both tools, with the limits on requests that the tools state, without the import's id",
    tables: ["account_slots"],
    why: "Other imports may use the same account, and share its limits.",
    until: "7 days after the last use of the account",
  },
  {
    what: "sealed bytes of uploaded files, whose keys are destroyed",
    tables: ["uploads", "upload_pieces", "upload_blobs"],
    why: "Deleting gigabytes takes a while.",
    until: "a worker has deleted them, some minutes later",
  },
  {
    what: "copies in the destination tool, and the originals in the source tool",
    tables: [],
    why: "They belong to the customer. An undo removes copies, before the erasure.",
    until: "as the owner of the tool decides",
  },
  {
    what: "backups of the database from before the erasure",
    tables: [],
    why: "A backup is not changed afterwards.",
    until: "as the operator keeps backups; after a restore the operator erases again",
  },
] as const;

export interface ErasureReceipt {
  readonly type: "portage.erasure";
  readonly version: 1;
  readonly import: string;
  readonly partner: string;
  readonly reason: Erasure["reason"];
  readonly begun_at: string;
  readonly erased_at: string;
  /** Rows by table. */
  readonly erased: Readonly<Record<string, number>>;
  /** The import's own columns that were cleared. */
  readonly cleared: readonly string[];
  readonly data_key: "destroyed";
  readonly kept: typeof keptAfterErasure;
}

const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The receipt of an erasure that has ended, and its signature by the key that signs reports. */
export const makeReceipt = (
  { importId, partnerId, reason, erased, begunAt, endedAt }: Erasure,
  signer: Signer,
): { readonly receipt: ErasureReceipt; readonly jws: string } => {
  if (!endedAt) throw new Error("The erasure has not ended.");
  const receipt: ErasureReceipt = {
    type: "portage.erasure",
    version: 1,
    import: importId,
    partner: partnerId,
    reason,
    begun_at: begunAt.toISOString(),
    erased_at: endedAt.toISOString(),
    erased: Object.fromEntries(Object.entries(erased).map(([table, rows]) => [snakeCase(table), rows])),
    cleared: [
      "reference",
      "destination_instance_url",
      "destination_username",
      "destination_token",
      "figures",
    ],
    data_key: "destroyed",
    kept: keptAfterErasure,
  };
  return { receipt, jws: signer.sign(receipt) };
};

import type { Account } from "@portage/connector-kit";
import type { Database } from "../../platform/db.ts";
import type { Sealer } from "../../platform/seal.ts";
import {
  type ConnectionSummary,
  findAccount,
  findKeyColumns,
  saveConnection,
  type SignedIn,
  type ToTry,
  type Tried,
  type TrySettings,
} from "../connections/index.ts";
import { findPartner } from "../partners/index.ts";
import { explainOtherKey } from "./explain-other-key.ts";
import type { ImportRecord } from "./import.ts";
import { moveImport } from "./move.ts";
import { type ImportState, type Side, somethingWritten } from "./state.ts";
import { findGiven, noteConnected } from "./store-connecting.ts";

export type Connected =
  | { readonly kind: "connected"; readonly account: Account }
  /** Another account, while a copy from or into the previous one exists or is under way. */
  | { readonly kind: "other_account"; readonly message: string }
  /** The same records would have other ids, while copies of them exist or are under way. */
  | { readonly kind: "other_key"; readonly message: string }
  /** Cancelled or archived meanwhile. */
  | { readonly kind: "missing" }
  | Exclude<Tried, { kind: "accepted" }>;

export interface ConnectNeeds {
  readonly db: Database;
  readonly sealer: Sealer;
  readonly trySettings: TrySettings;
}

export const toolOf = (found: ImportRecord, side: Side): string =>
  side === "source" ? found.sourceTool : found.destinationTool;

/** A copy begun with one account can't continue with another: its ids mean something else there. */
const mustStay = (state: ImportState) => state.liveRun !== null || somethingWritten(state);

const otherAccount = (side: Side, was: ConnectionSummary, now: Account): Connected => ({
  kind: "other_account",
  message:
    side === "destination"
      ? `This is ${now.accountName}, and the copies are in ${was.accountName}. Sign in to ${was.accountName}, or undo the move first.`
      : `This is ${now.accountName}, and the copies come from ${was.accountName}. Sign in to ${was.accountName}, or undo the move first.`,
});

/** Saves a working sign-in and moves the import, both or neither. */
const keep = async (
  { db, sealer }: Pick<ConnectNeeds, "db" | "sealer">,
  { id: importId, family }: Pick<ImportRecord, "id" | "family">,
  side: Side,
  signedIn: SignedIn,
): Promise<Connected> => {
  const { account } = signedIn;
  let refused: Connected = { kind: "missing" };
  const moved = await moveImport(
    db,
    { type: "connected", side },
    {
      importId,
      partnerId: null,
      actor: { kind: "customer" },
      alongside: async (tx, before) => {
        const was = await findAccount(tx, { importId, side });
        if (was && was.accountId !== account.accountId && mustStay(before)) {
          refused = otherAccount(side, was, account);
          return false;
        }
        const keysBefore = mustStay(before) ? await findKeyColumns(tx, sealer, { importId, side }) : {};
        const message = explainOtherKey(family, keysBefore, account.keyColumns ?? {});
        if (message !== null) {
          refused = { kind: "other_key", message };
          return false;
        }
        // A kind of record that has no file at the moment still has its copies.
        const keyColumns = account.keyColumns && { ...keysBefore, ...account.keyColumns };
        await saveConnection(
          tx,
          sealer,
          { importId, side },
          { ...signedIn, account: { ...account, ...(keyColumns && { keyColumns }) } },
        );
        await noteConnected(tx, importId, side, account.signInName);
        return true;
      },
    },
  );
  return moved.kind === "refused" || moved.kind === "missing" ? refused : { kind: "connected", account };
};

/** Connects a side: validates what the customer typed, calls the tool, and saves a working sign-in. */
export const connectSide =
  (needs: ConnectNeeds) =>
  async (
    found: ImportRecord,
    side: Side,
    typed: object,
    signIn?: Pick<ToTry, "tokens" | "learned">,
  ): Promise<Connected> => {
    const given = await findGiven(needs.db, needs.sealer, found.id, side);
    const tool = toolOf(found, side);
    const partner = await findPartner(needs.db, found.partnerId);
    const tried = await needs.trySettings({
      tool,
      typed,
      given,
      importId: found.id,
      ...signIn,
      ...(partner && { partnerName: partner.name }),
    });
    return tried.kind === "accepted" ? keep(needs, found, side, tried.signedIn) : tried;
  };

import type { NewImportErrors } from "@portage/contract";
import type { Database, Transaction } from "../../platform/db.ts";
import { newId } from "../../platform/ids.ts";
import type { Secret } from "../../platform/secret.ts";
import type { Sealer } from "../../platform/seal.ts";
import { type CheckDestination, saveConnection } from "../connections/index.ts";
import type { Partner } from "../partners/index.ts";
import type { ToolRegistry } from "../tools/index.ts";
import { newLinkToken } from "./link.ts";
import { newImportState } from "./state.ts";
import { insertImport } from "./store-changes.ts";
import { newImportRefused, validateNewImport } from "./validate-new.ts";

interface Needs {
  readonly db: Database;
  readonly sealer: Sealer;
  readonly registry: ToolRegistry;
  readonly checkDestination: CheckDestination;
}

export interface NewLink {
  readonly id: string;
  readonly linkToken: Secret;
}

export type Created =
  | ({ readonly kind: "created" } & NewLink)
  | { readonly kind: "invalid"; readonly errors: NewImportErrors };

/** Creates an import; `alongside` runs in the same transaction. */
export const createImport =
  ({ db, sealer, registry, checkDestination }: Needs) =>
  async (
    partner: Partner,
    body: object,
    alongside: (tx: Transaction, made: NewLink) => Promise<void> = async () => {},
  ): Promise<Created> => {
    const validated = validateNewImport(registry, partner, body);
    if (validated.kind === "invalid") return validated;
    const { startFull, destinationToken, ...wanted } = validated.value;
    const answer = await checkDestination(partner.destinationTool, {
      instanceUrl: wanted.destinationInstanceUrl,
      username: wanted.destinationUsername,
      token: destinationToken,
    });
    if (answer.kind === "refused") return newImportRefused({ destination: [answer.message] });
    const made = { id: newId("imp"), linkToken: newLinkToken() };
    await db.sql.transaction().execute(async (tx) => {
      await insertImport(tx, sealer, {
        ...wanted,
        ...made,
        partnerId: partner.id,
        destinationTool: partner.destinationTool,
        signInName: answer.kind === "accepted" ? answer.signedIn.account.signInName : null,
        destinationToken,
        state: {
          ...newImportState(startFull, partner.payer),
          destinationConnected: answer.kind === "accepted",
        },
        warnings: answer.kind === "unchecked" ? ["destination_unchecked"] : [],
      });
      if (answer.kind === "accepted")
        await saveConnection(tx, sealer, { importId: made.id, side: "destination" }, answer.signedIn);
      await alongside(tx, made);
    });
    return { kind: "created", ...made };
  };

import { PortageError } from "@portage/sdk";
import { beginMove, dropMove, type Move, referenceOf, setCreated } from "../store/store-moves.ts";
import type { MovingNeeds } from "./moving.ts";

export type Started =
  | { readonly kind: "started"; readonly move: Move }
  | { readonly kind: "refused"; readonly reasons: readonly string[] }
  | { readonly kind: "unavailable" };

const ownerName = "owner@desk.example";

/** Creates the import for a form; the same form always returns the same import, however often it is sent. */
export const startMove = async (
  { portage, store, publicUrl, secret, now }: MovingNeeds,
  { formKey, sourceTool }: { readonly formKey: string; readonly sourceTool: string },
): Promise<Started> => {
  const move = beginMove(store.database, { formKey, sourceTool, now: new Date(now()).toISOString() });
  if (move.importId !== null && move.redirectUrl !== null) return { kind: "started", move };
  try {
    const created = await portage.imports.create(
      {
        source_tool: move.sourceTool,
        family: "helpdesk",
        // With these the customer has to connect only the old tool.
        destination_instance_url: `${publicUrl}/portage`,
        destination_username: ownerName,
        destination_token: secret,
        reference: referenceOf(move.id),
      },
      { idempotencyKey: `desk-${formKey}` },
    );
    setCreated(store.database, move.id, created);
    return { kind: "started", move };
  } catch (error) {
    if (!(error instanceof PortageError)) throw error;
    if (error.code !== "validation_failed") return { kind: "unavailable" };
    dropMove(store.database, move.id);
    return {
      kind: "refused",
      reasons: Object.entries(error.errors).map(([name, why]) => `${name}: ${why.join(", ")}`),
    };
  }
};

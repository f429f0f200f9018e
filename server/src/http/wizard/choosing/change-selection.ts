import type { SelectionConflict } from "@portage/contract/wizard";
import { z } from "zod";
import type { ChoiceSaved } from "../../../features/billing/index.ts";
import { type Mapping, selectionSchema, validateMapping } from "../../../features/mapping/index.ts";
import { invalid, ok } from "../../answer.ts";
import { choicePaidFor, choicePaymentOpen } from "../matching/choice-refused.ts";
import { decidedIn, type FindMatching } from "../matching/matching.ts";
import type { WizardRoute } from "../access/route.ts";

interface Needs {
  readonly findMatching: FindMatching;
  readonly saveMapping: (importId: string, based: number, mapping: Mapping) => Promise<ChoiceSaved>;
}

const body = z.object({
  based: z.int({ error: "must be the revision that this was made from" }).min(0),
  selection: selectionSchema,
});

const conflict = (current: { readonly revision: number; readonly mapping: Mapping }) => ({
  status: 409,
  body: {
    error: { code: "conflict", message: "Someone else saved changes in the meantime. Review them first." },
    current: { revision: current.revision, selection: current.mapping.selection },
  } satisfies SelectionConflict,
});

/** Saves which records to move, and keeps the other decisions and suggestions. */
export const changeSelection = (needs: Needs): WizardRoute<z.infer<typeof body>> => ({
  method: "PUT",
  path: "/selection",
  body,
  handle: async ({ import: { id, state }, body: { based, selection } }) => {
    // The price was for what was chosen then.
    if (state.bought) return invalid({ base: [choicePaidFor] });
    const matching = await needs.findMatching(id);
    if (matching.current.revision !== based) return conflict(matching.current);
    const validated = validateMapping({ ...decidedIn(matching), selection }, matching.facts);
    if (validated.kind === "invalid")
      return invalid({ base: validated.problems.map(({ message }) => message) });
    const saved = await needs.saveMapping(id, based, validated.mapping);
    if (saved.kind === "paid_for") return invalid({ base: [choicePaidFor] });
    if (saved.kind === "payment_open") throw choicePaymentOpen();
    return saved.kind === "saved" ? ok({ revision: saved.revision }) : conflict(saved.current);
  },
});

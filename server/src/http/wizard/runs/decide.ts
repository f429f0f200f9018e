import type { Payer } from "@portage/contract";
import type { ImportRecord, Moved } from "../../../features/imports/index.ts";
import type { Partner } from "../../../features/partners/index.ts";
import { importEnded } from "../access/gate.ts";
import type { WizardRoute } from "../access/route.ts";
import { answerMoved, type CustomerMove } from "./moved.ts";

interface AskNeeds {
  readonly ask: (found: ImportRecord, payer: Payer) => Promise<Moved>;
  readonly findPartner: (id: string) => Promise<Partner | undefined>;
}

/** The customer requests the full migration; the partner's setting decides who pays. */
export const askFullRoute = ({ ask, findPartner }: AskNeeds): WizardRoute => ({
  method: "POST",
  path: "/ask-full",
  handle: async ({ import: found }) => {
    const partner = await findPartner(found.partnerId);
    if (!partner) throw importEnded();
    const moved = await ask(found, partner.payer);
    return answerMoved(found, moved, () => "The full move is under way or done already.", {
      payer: partner.payer,
      /** The partner's own page for its decision. */
      fullRequestUrl: partner.payer === "partner_decides" ? partner.fullRequestUrl : null,
    });
  },
});

/** Restarts an import after an undo, with its connections and its matching. */
export const startOver = (move: CustomerMove): WizardRoute => ({
  method: "POST",
  path: "/start-over",
  handle: async ({ import: found }) =>
    answerMoved(
      found,
      await move(found, { type: "started_over" }),
      () => "You can start over after an undo.",
    ),
});

/** The customer changed the matching after the sample, which can run again. */
export const matchingChanged = (move: CustomerMove): WizardRoute => ({
  method: "POST",
  path: "/matching-changed",
  handle: async ({ import: found }) =>
    answerMoved(
      found,
      await move(found, { type: "matching_changed" }),
      () => "There is no finished sample to run again.",
    ),
});

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

/** The customer wants the full migration: who pays for it is the partner's setting. */
export const askFull = ({ ask, findPartner }: AskNeeds): WizardRoute => ({
  method: "POST",
  path: "/ask-full",
  handle: async ({ import: found }) => {
    const partner = await findPartner(found.partnerId);
    if (!partner) throw importEnded();
    const moved = await ask(found, partner.payer);
    return answerMoved(found, moved, () => "The full move is under way or done already.", {
      payer: partner.payer,
      /** Where the partner decides on a page of its own. */
      fullRequestUrl: partner.payer === "partner_decides" ? partner.fullRequestUrl : null,
    });
  },
});

/** After an undo: from the beginning, with what is connected and matched. */
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

/** The matching was changed after a sample was seen: it can be run again. */
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

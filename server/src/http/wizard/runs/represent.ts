import type { WizardProgress } from "@portage/contract/wizard";
import { statusTexts } from "@portage/contract";
import type { ImportSummary } from "../../../features/runs/index.ts";
import { streamLabel, type Unsent } from "../represent.ts";

/** The progress for the customer's page; a single response and the stream send the same. */
export const standingJson = (standing: ImportSummary) => {
  const { status, family, sponsorship, paid, items, people, progress } = standing;
  return {
    status: { code: status, text: statusTexts[status] },
    sponsorship,
    paid,
    items,
    people,
    progress: progress && {
      ...progress,
      // To the customer it is the same undo.
      step: progress.step === "remove_fields" ? "remove" : progress.step,
      refusals: progress.refusals && {
        ...progress.refusals,
        label: streamLabel(family, progress.refusals.stream),
      },
      streams: progress.streams.map((each) => ({ ...each, label: streamLabel(family, each.stream) })),
    },
  } satisfies Unsent<WizardProgress>;
};

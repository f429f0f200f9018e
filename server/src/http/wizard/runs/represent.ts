import type { WizardProgress } from "@portage/contract/wizard";
import { statusTexts } from "@portage/contract";
import type { ImportSummary } from "../../../features/runs/index.ts";
import { streamLabel, type Unsent } from "../represent.ts";

type Step = NonNullable<ImportSummary["progress"]>["step"];

/** To the customer, removing fields or what a measurement left is part of the same undo. */
const stepFor = (step: Step, phase: string) => {
  if (step === "remove_fields") return "remove";
  if (step === "silence") return phase === "undo" ? "remove" : "prepare";
  return step;
};

/** The progress for the customer's page; a single response and the stream send the same. */
export const importSummaryJson = (summary: ImportSummary) => {
  const { status, family, sponsorship, paid, items, people, progress } = summary;
  return {
    status: { code: status, text: statusTexts[status] },
    sponsorship,
    paid,
    items,
    people,
    progress: progress && {
      ...progress,
      step: stepFor(progress.step, progress.phase),
      refusals: progress.refusals && {
        ...progress.refusals,
        label: streamLabel(family, progress.refusals.stream),
      },
      streams: progress.streams.map((each) => ({ ...each, label: streamLabel(family, each.stream) })),
    },
  } satisfies Unsent<WizardProgress>;
};

import type { WizardProgress } from "@portage/contract/wizard";
import { statusTexts } from "@portage/contract";
import type { Standing } from "../../../features/runs/index.ts";
import { streamLabel, type Unsent } from "../represent.ts";

/** How an import stands, for the customer's page; the same for one question and for a stream of answers. */
export const standingJson = (standing: Standing) => {
  const { status, family, sponsorship, paid, items, people, progress } = standing;
  return {
    status: { code: status, text: statusTexts[status] },
    sponsorship,
    paid,
    items,
    people,
    progress: progress && {
      ...progress,
      streams: progress.streams.map((each) => ({ ...each, label: streamLabel(family, each.stream) })),
    },
  } satisfies Unsent<WizardProgress>;
};

import type { WizardSample } from "@portage/contract/wizard";
import { type Unsent, streamLabel } from "../represent.ts";
import type { countSample, findSampleCoverage } from "../../../features/runs/index.ts";
import { ok } from "../../answer.ts";
import type { WizardRoute } from "../access/route.ts";

interface Needs {
  readonly findCoverage: (importId: string) => ReturnType<typeof findSampleCoverage>;
  readonly count: (importId: string) => ReturnType<typeof countSample>;
}

/** The sample's coverage, and the number of its records by outcome. */
export const showSample = ({ findCoverage, count }: Needs): WizardRoute => ({
  method: "GET",
  path: "/sample",
  handle: async ({ import: { id, family } }) =>
    ok({
      coverage: (await findCoverage(id)) ?? null,
      counts: (await count(id)).map((each) => ({ ...each, label: streamLabel(family, each.stream) })),
    } satisfies Unsent<WizardSample>),
});

import type { WizardSample } from "@portage/contract/wizard";
import { type Unsent, streamLabel } from "../represent.ts";
import type { countSample, findChoosing, findSampleCoverage } from "../../../features/runs/index.ts";
import { ok } from "../../answer.ts";
import type { WizardRoute } from "../access/route.ts";

interface Needs {
  readonly findCoverage: (importId: string) => ReturnType<typeof findSampleCoverage>;
  readonly findChoosing: (importId: string) => ReturnType<typeof findChoosing>;
  readonly count: (importId: string) => ReturnType<typeof countSample>;
}

/** The sample's coverage, how far its choice has come, and the number of its records by outcome. */
export const showSample = ({ findCoverage, findChoosing: find, count }: Needs): WizardRoute => ({
  method: "GET",
  path: "/sample",
  handle: async ({ import: { id, family } }) => {
    const choosing = await find(id);
    const labelled = <T extends { readonly stream: string }>(each: T) => ({
      ...each,
      label: streamLabel(family, each.stream),
    });
    return ok({
      coverage: (await findCoverage(id)) ?? null,
      choosing: choosing ? { ...choosing, looked: choosing.looked.map(labelled) } : null,
      counts: (await count(id)).map(labelled),
    } satisfies Unsent<WizardSample>);
  },
});

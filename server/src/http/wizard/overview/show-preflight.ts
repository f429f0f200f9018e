import type { WizardPreflight } from "@portage/contract/wizard";
import { type Unsent, streamLabel } from "../represent.ts";
import type { RunPreflight } from "../../../features/preflight/index.ts";
import { ok } from "../../answer.ts";
import type { WizardRoute } from "../access/route.ts";

interface Needs {
  readonly preflight: RunPreflight;
}

/** What blocks a full run, what it would leave behind, and how long it would take. */
export const showPreflight = ({ preflight }: Needs): WizardRoute => ({
  method: "GET",
  path: "/preflight",
  handle: async ({ import: { id, family } }) => {
    const { findings, stays, estimate } = await preflight(id);
    return ok({
      // The page has its own text for each code.
      findings: findings.map(({ message: _message, fix: _fix, ...finding }) => ({
        ...finding,
        label: finding.stream === null ? null : streamLabel(family, finding.stream),
      })),
      stays,
      estimate,
    } satisfies Unsent<WizardPreflight>);
  },
});

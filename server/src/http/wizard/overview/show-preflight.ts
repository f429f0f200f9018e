import type { WizardPreflight, WizardSilence } from "@portage/contract/wizard";
import { type Unsent, streamLabel } from "../represent.ts";
import type { Family } from "@portage/contract";
import type { PreflightSilence, RunPreflight } from "../../../features/preflight/index.ts";
import { ok } from "../../answer.ts";
import type { WizardRoute } from "../access/route.ts";

interface Needs {
  readonly preflight: RunPreflight;
}

const silenceJson = (family: Family, silence: PreflightSilence): Unsent<WizardSilence> => {
  if (silence.kind === "promised") return silence;
  const { last } = silence;
  if (last === null) return { kind: "measured", last };
  const { records, at, caught } = last;
  if (caught === null) return { kind: "measured", last: { records, at, caught } };
  const { stream, subject, mend } = caught;
  const label = stream === null ? null : streamLabel(family, stream);
  return { kind: "measured", last: { records, at, caught: { label, subject, mend } } };
};

/** What blocks a full run, what it would leave behind, and how long it would take. */
export const showPreflight = ({ preflight }: Needs): WizardRoute => ({
  method: "GET",
  path: "/preflight",
  handle: async ({ import: { id, family } }) => {
    const { findings, stays, estimate, silence } = await preflight(id);
    return ok({
      // The page has its own text for each code.
      findings: findings.map(({ message: _message, fix: _fix, ...finding }) => ({
        ...finding,
        label: finding.stream === null ? null : streamLabel(family, finding.stream),
      })),
      silence: silence && silenceJson(family, silence),
      stays,
      estimate,
    } satisfies Unsent<WizardPreflight>);
  },
});

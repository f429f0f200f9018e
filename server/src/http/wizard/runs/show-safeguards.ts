import type { WizardSafeguards } from "@portage/contract/wizard";
import type { RunFinding, ImportRecord } from "../../../features/imports/index.ts";
import { isConnectorError } from "../../../features/tools/index.ts";
import { ok } from "../../answer.ts";
import type { WizardRoute } from "../access/route.ts";

interface Needs {
  /** The destination's guarantees for each stream that it accepts; null: it is not connected. */
  readonly guaranteesOf: (
    found: ImportRecord,
    signal: AbortSignal,
  ) => Promise<readonly (readonly string[])[] | null>;
  readonly findingsOf: (importId: string) => Promise<readonly RunFinding[]>;
}

/** The tool may be slow to answer; after this time the page shows no promise about emails. */
const patienceMs = 5_000;

const isSilent = async ({ guaranteesOf }: Needs, found: ImportRecord): Promise<boolean> => {
  const signal = AbortSignal.timeout(patienceMs);
  try {
    const guarantees = await guaranteesOf(found, signal);
    return (
      guarantees !== null && guarantees.length > 0 && guarantees.every((each) => each.includes("silent"))
    );
  } catch (error) {
    // Promise nothing that the tool does not confirm.
    if (isConnectorError(error) || signal.aborted) return false;
    throw error;
  }
};

const countTwice = (findings: readonly RunFinding[]) =>
  findings.reduce((sum, { code, count }) => (code === "found_twice" ? sum + count : sum), 0);

/** The safeguards of a copy: emails that the destination holds back, and duplicates. */
export const showSafeguards = (needs: Needs): WizardRoute => ({
  method: "GET",
  path: "/safeguards",
  handle: async ({ import: found }) =>
    ok({
      emails: (await isSilent(needs, found)) ? "held_back" : null,
      duplicates: countTwice(await needs.findingsOf(found.id)),
    } satisfies WizardSafeguards),
});

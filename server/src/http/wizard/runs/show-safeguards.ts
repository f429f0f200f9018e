import type { WizardSafeguards } from "@portage/contract/wizard";
import type { Finding, ImportRecord } from "../../../features/imports/index.ts";
import { isConnectorError } from "../../../features/tools/index.ts";
import { ok } from "../../answer.ts";
import type { WizardRoute } from "../access/route.ts";

interface Needs {
  /** What the destination promises for each kind of record that it takes; null: it is not connected. */
  readonly dutiesOf: (
    found: ImportRecord,
    signal: AbortSignal,
  ) => Promise<readonly (readonly string[])[] | null>;
  readonly findingsOf: (importId: string) => Promise<readonly Finding[]>;
}

/** The tool may have to be asked; a page that waits for more shows nothing of this. */
const patienceMs = 5_000;

const isSilent = async ({ dutiesOf }: Needs, found: ImportRecord): Promise<boolean> => {
  const signal = AbortSignal.timeout(patienceMs);
  try {
    const duties = await dutiesOf(found, signal);
    return duties !== null && duties.length > 0 && duties.every((each) => each.includes("silent"));
  } catch (error) {
    // What nobody can confirm is not promised.
    if (isConnectorError(error) || signal.aborted) return false;
    throw error;
  }
};

const countTwice = (findings: readonly Finding[]) =>
  findings.reduce((sum, { code, count }) => (code === "found_twice" ? sum + count : sum), 0);

/** What must not happen while records are copied, and how that is kept. */
export const showSafeguards = (needs: Needs): WizardRoute => ({
  method: "GET",
  path: "/safeguards",
  handle: async ({ import: found }) =>
    ok({
      emails: (await isSilent(needs, found)) ? "held_back" : null,
      duplicates: countTwice(await needs.findingsOf(found.id)),
    } satisfies WizardSafeguards),
});

import type { WizardFixPreview } from "@portage/contract/wizard";
import { z } from "zod";
import type { ImportRecord } from "../../../features/imports/index.ts";
import type { Mapping } from "../../../features/mapping/index.ts";
import type { AddressOf, FixPreview, FixQuestion, Report } from "../../../features/runs/index.ts";
import { isConnectorError } from "../../../features/tools/index.ts";
import { invalid, ok, Problem } from "../../answer.ts";
import type { WizardRoute } from "../access/route.ts";
import { decidedIn, type FindMatching } from "../matching/matching.ts";
import { maxMappingBytes, readMapping } from "../matching/read-mapping.ts";
import { previewNames, type Unsent } from "../represent.ts";
import { reportNotFound } from "./show-report.ts";

interface Needs {
  readonly findMatching: FindMatching;
  readonly findReport: (found: ImportRecord) => Promise<Report | undefined>;
  readonly addressesOf: (found: ImportRecord) => Promise<AddressOf>;
  /** The mapping that a run used; undefined: it is not known any more. */
  readonly mappingOfRun: (importId: string, runId: string) => Promise<Mapping | undefined>;
  readonly previewFix: (asked: FixQuestion, signal: AbortSignal) => Promise<FixPreview>;
}

const body = z.object({
  stream: z.string({ error: "must be the name of a stream" }).min(1).max(60),
  code: z.string({ error: "must be the code of a cause" }).min(1).max(60),
  mapping: z.unknown(),
});

/** A person compares a few by eye. */
const maxShown = 5;
const patienceMs = 20_000;

const inTime = async (signal: AbortSignal, ask: () => Promise<FixPreview>): Promise<FixPreview> => {
  try {
    return await ask();
  } catch (error) {
    if (isConnectorError(error) && error.recovery === "reauthorize")
      throw new Problem(
        "conflict",
        "One of the tools does not accept the sign-in any more. Connect it again.",
      );
    if (isConnectorError(error) || signal.aborted)
      throw new Problem("unavailable", "The old tool does not answer now. Try again in a moment.");
    throw error;
  }
};

/** Shows on real records what a fix would change, before it is saved: a fix concerns all records of its cause. */
export const showFixPreview = (needs: Needs): WizardRoute<z.infer<typeof body>> => ({
  method: "POST",
  path: "/report/fix-preview",
  body,
  maxBodyBytes: maxMappingBytes,
  handle: async ({ import: found, body: { stream, code, mapping } }) => {
    const report = await needs.findReport(found);
    if (!report) throw reportNotFound();
    const matching = await needs.findMatching(found.id);
    const read = readMapping(mapping, matching.facts);
    if (read.kind === "invalid") return read.answer;
    const reported = report.streams.find((each) => each.stream === stream);
    const cause = [...(reported?.failed ?? []), ...(reported?.behind ?? [])].find(
      (each) => each.code === code,
    );
    if (!cause) return invalid({ code: ["kept no record of this stream out"] });
    const signal = AbortSignal.timeout(patienceMs);
    const asked = {
      importId: found.id,
      family: found.family,
      stream,
      ids: cause.examples.slice(0, maxShown),
      // A fix that was saved meanwhile has changed nothing on these yet.
      before: (await needs.mappingOfRun(found.id, report.run.id)) ?? decidedIn(matching),
      after: read.mapping,
      names: previewNames(matching.facts),
    };
    const preview = await inTime(signal, () => needs.previewFix(asked, signal));
    if (preview.kind === "no_stream") return invalid({ stream: ["does not exist in the old tool"] });
    if (preview.kind === "missing_side") {
      const which = preview.side === "source" ? "old" : "new";
      throw new Problem("conflict", `Connect the ${which} tool first.`);
    }
    const addressOf = await needs.addressesOf(found);
    return ok({
      records: preview.records.map((record) => ({ ...record, address: addressOf(stream, record.id) })),
    } satisfies Unsent<WizardFixPreview>);
  },
});

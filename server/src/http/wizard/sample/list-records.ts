import type { WizardSampleRecords } from "@portage/contract/wizard";
import { type Unsent, streamLabel, shownFields, webAddress } from "../represent.ts";
import { type FamilyStream, findStream } from "../../../features/tools/index.ts";
import { compareRecords, type ReadAs } from "../../../features/mapping/index.ts";
import { type listSampleResults, reasons, recordTitle } from "../../../features/runs/index.ts";
import { invalid, ok } from "../../answer.ts";
import { limitRule, readLimit } from "../../page-limit.ts";
import type { WizardRoute } from "../access/route.ts";

type Results = Awaited<ReturnType<typeof listSampleResults>>;
type Result = Results["results"][number];

interface Needs {
  readonly listResults: (
    importId: string,
    page: { readonly stream: string; readonly after: string | null; readonly limit: number },
  ) => Promise<Results>;
  /** How a stream's copies read in the new tool, by each of these revisions. */
  readonly readAsBy: (
    importId: string,
    stream: FamilyStream,
    revisions: ReadonlySet<number>,
  ) => Promise<ReadonlyMap<number, ReadAs>>;
}

/** The tool's message, for a tool's own code; our codes have their own text in the page, so their detail is hidden. */
const detailOf = ({ reason, message }: Result): string | null =>
  reason !== null && Object.hasOwn(reasons, reason) ? null : message;

const shownResult = (stream: FamilyStream, result: Result, read: ReadAs = {}) => {
  const { source, written, destination, changes, state, reason } = result;
  // If the tool can't be read back, show what was sent; a rejected record has no copy to show.
  const after = destination ?? (state === "written" ? written : null);
  const { fields, shortened } = shownFields(
    source && after ? compareRecords(stream, source, after, changes, read) : [],
  );
  return {
    stream: stream.name,
    id: result.sourceId,
    why: result.why,
    covers: result.covers,
    title: source && recordTitle(source),
    destinationId: result.destId,
    state,
    reason,
    detail: detailOf(result),
    parts: result.parts.map((part) => ({ ...part, label: streamLabel(stream.family, part.stream) })),
    fields,
    shortened: [...new Set([...result.shortened, ...shortened])],
    sourceUrl: webAddress(result.sourceUrl),
    destinationUrl: webAddress(result.destinationUrl),
  };
};

/** The records of the sample, compared field by field between the tools, with links to both. */
export const listRecords = ({ listResults, readAsBy }: Needs): WizardRoute => ({
  method: "GET",
  path: "/sample/records",
  handle: async ({ import: { id, family }, query }) => {
    const stream = findStream(family, query.get("stream")?.text ?? "");
    if (!stream) return invalid({ stream: ["must be the name of a stream"] });
    const limit = readLimit(query);
    if (limit === null) return invalid({ limit: [limitRule] });
    const after = query.get("after")?.text ?? null;
    // PostgreSQL rejects NUL in text.
    if (after?.includes("\0")) return invalid({ after: ["is not one of ours"] });
    const { results, next } = await listResults(id, { stream: stream.name, after, limit });
    const revisions = new Set(results.map(({ mappingRevision }) => mappingRevision));
    const read = await readAsBy(id, stream, revisions);
    return ok({
      records: results.map((result) => shownResult(stream, result, read.get(result.mappingRevision))),
      next,
    } satisfies Unsent<WizardSampleRecords>);
  },
});

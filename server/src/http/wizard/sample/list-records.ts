import type { WizardSampleRecords } from "@portage/contract/wizard";
import { type Unsent, streamLabel, shownFields, webAddress } from "../represent.ts";
import { type FamilyStream, findStream } from "../../../features/tools/index.ts";
import { compareRecords, type MovedField } from "../../../features/mapping/index.ts";
import { type listSampleResults, reasons } from "../../../features/runs/index.ts";
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
  /** Where each of these revisions puts the custom fields of a stream. */
  readonly movedBy: (
    importId: string,
    stream: FamilyStream,
    revisions: ReadonlySet<number>,
  ) => Promise<ReadonlyMap<number, readonly MovedField[]>>;
}

/** A tool's own code says little beside its own words; of our own codes the detail is none for people. */
const detailOf = ({ reason, message }: Result): string | null =>
  reason !== null && Object.hasOwn(reasons, reason) ? null : message;

const longestTitle = 200;

/** What people know a record by; null: it has no name of its own, as a comment. */
const titleOf = (record: object): string | null => {
  const fields = record as Readonly<Record<string, unknown>>;
  const title = ["subject", "title", "name", "fileName"]
    .map((name) => fields[name])
    .find((value): value is string => typeof value === "string" && value.trim() !== "");
  return title?.slice(0, longestTitle).toWellFormed() ?? null;
};

const shownResult = (stream: FamilyStream, result: Result, moved: readonly MovedField[] | undefined) => {
  const { source, written, destination, changes, state, reason } = result;
  // Of a tool that can't be read, what was sent is all that there is to show; what it refused is nowhere.
  const after = destination ?? (state === "written" ? written : null);
  const { fields, shortened } = shownFields(
    source && after ? compareRecords(stream, source, after, changes, moved) : [],
  );
  return {
    stream: stream.name,
    id: result.sourceId,
    why: result.why,
    covers: result.covers,
    title: source && titleOf(source),
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

/** The records of the sample, each field by field in the old tool and in the new one, and where to see them. */
export const listRecords = ({ listResults, movedBy }: Needs): WizardRoute => ({
  method: "GET",
  path: "/sample/records",
  handle: async ({ import: { id, family }, query }) => {
    const stream = findStream(family, query.get("stream")?.text ?? "");
    if (!stream) return invalid({ stream: ["must be the name of a stream"] });
    const limit = readLimit(query);
    if (limit === null) return invalid({ limit: [limitRule] });
    const after = query.get("after")?.text ?? null;
    // The database takes no NUL.
    if (after?.includes("\0")) return invalid({ after: ["is not one of ours"] });
    const { results, next } = await listResults(id, { stream: stream.name, after, limit });
    const revisions = new Set(results.map(({ mappingRevision }) => mappingRevision));
    const moved = await movedBy(id, stream, revisions);
    return ok({
      records: results.map((result) => shownResult(stream, result, moved.get(result.mappingRevision))),
      next,
    } satisfies Unsent<WizardSampleRecords>);
  },
});

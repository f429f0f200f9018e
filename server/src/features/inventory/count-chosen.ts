import { type FamilyStream, findStream, isConnectorError } from "@portage/connector-kit";
import type { Family } from "@portage/contract";
import {
  choosable,
  compileSelection,
  isStreamSelected,
  rangeOnly,
  type Selection,
} from "../mapping/index.ts";
import type { SourceCounts, StreamCount } from "./source-counts.ts";
import type { Survey, SurveyState } from "./survey-source.ts";

/** How many records of a stream are chosen. Null: not known. */
export interface ChosenCount {
  readonly stream: string;
  readonly all: number | null;
  readonly chosen: number | null;
  /** False: an estimate. */
  readonly exact: boolean;
}

export interface ChosenCounts {
  readonly streams: readonly ChosenCount[];
  /** More will be known in a moment. */
  readonly reading: boolean;
}

type Counts = Extract<SourceCounts, { kind: "counts" }>;

const withinMs = 30_000;

/** The tool's own count of a date range; null: it has none, or there are other limits as well. */
const countByTool = async ({ opened }: Counts, { from }: StreamCount, selection: Selection) => {
  const range = rangeOnly(selection);
  if (range === null || !from.countWithin) return null;
  return from.countWithin(opened.io(AbortSignal.timeout(withinMs)), range);
};

/** The share of the surveyed records that is chosen; null: none was surveyed. */
const shareOf = (survey: Survey | null, stream: FamilyStream, selection: Selection) => {
  const found = survey?.streams.find(({ from }) => from.stream.name === stream.name);
  if (!found) return null;
  const isChosen = compileSelection({ selection });
  const chosen = found.records.filter((record) => isChosen(stream, record)).length;
  return { chosen, share: found.records.length === 0 ? 0 : chosen / found.records.length, all: found.all };
};

const limitsStream = (selection: Selection, { family, name }: FamilyStream): boolean => {
  const fields = choosable[family][name];
  if (fields === undefined) return false;
  const { createdFrom, createdBefore, changedFrom, changedBefore, statuses, groups, tags } = selection;
  return (
    [createdFrom, createdBefore, changedFrom, changedBefore].some((bound) => bound !== null) ||
    (statuses !== null && fields.status !== null) ||
    (groups !== null && fields.group !== null) ||
    (tags !== null && fields.tags)
  );
};

/** The chosen ancestor-or-self whose records are limited: what belongs to a record outside of the choice stays with it. */
const limitedRoot = (selection: Selection, family: Family, stream: FamilyStream): FamilyStream | null => {
  if (limitsStream(selection, stream)) return stream;
  const parent = stream.parent === null ? undefined : stream.relations[stream.parent];
  const owner = parent?.missing === "skip" ? findStream(family, parent.to[0]) : undefined;
  return owner && owner.name !== stream.name ? limitedRoot(selection, family, owner) : null;
};

/** Counts what a selection moves: exactly where the tool counts or all records were seen, else by the share of those seen. */
export const countChosen = async (
  counts: Counts,
  survey: SurveyState,
  family: Family,
  selection: Selection,
): Promise<ChosenCounts> => {
  const read = survey.kind === "read" ? survey.survey : null;
  const ofRoots = new Map<string, Promise<Omit<ChosenCount, "stream" | "all"> & { share: number | null }>>();
  const countRoot = async (root: FamilyStream) => {
    const counted = counts.streams.find(({ from }) => from.stream.name === root.name);
    const all = counted?.look?.count ?? null;
    const byTool =
      counted && root.name in choosable[family] ? await countByTool(counts, counted, selection) : null;
    if (byTool !== null)
      return {
        chosen: byTool,
        exact: true,
        share: all === null || all === 0 ? null : Math.min(1, byTool / all),
      };
    const seen = shareOf(read, root, selection);
    if (seen === null) return { chosen: null, exact: false, share: null };
    if (seen.all) return { chosen: seen.chosen, exact: true, share: seen.share };
    return { chosen: all === null ? null : Math.round(all * seen.share), exact: false, share: seen.share };
  };
  const rootOf = (root: FamilyStream) => {
    const known = ofRoots.get(root.name) ?? countRoot(root);
    ofRoots.set(root.name, known);
    return known;
  };
  const streams: ChosenCount[] = [];
  for (const { from, look } of counts.streams) {
    const { name } = from.stream;
    const all = look?.count ?? null;
    const root = limitedRoot(selection, family, from.stream);
    if (!isStreamSelected({ selection }, name)) streams.push({ stream: name, all, chosen: 0, exact: true });
    else if (root === null) streams.push({ stream: name, all, chosen: all, exact: look?.exact ?? false });
    else {
      const { chosen, exact, share } = await rootOf(root);
      const isRoot = root.name === name;
      const estimated = all === null || share === null ? null : Math.round(all * share);
      // A ticket that is chosen may have more comments than another one.
      streams.push({ stream: name, all, chosen: isRoot ? chosen : estimated, exact: isRoot && exact });
    }
  }
  return { streams, reading: counts.counting || survey.kind === "reading" };
};

/** Null: the tool failed to count. */
export const countChosenOrNull = async (
  ...given: Parameters<typeof countChosen>
): Promise<ChosenCounts | null> => {
  try {
    return await countChosen(...given);
  } catch (error) {
    if (!isConnectorError(error)) throw error;
    return null;
  }
};

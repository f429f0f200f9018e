import {
  type DestinationStream,
  type FamilyRecord,
  familyStreams,
  isConnectorError,
  isRemovable,
  ownersOf,
  referencesOf,
} from "@portage/connector-kit";
import type { Family } from "@portage/contract";
import type { Database } from "../../../platform/db.ts";
import type { Counted } from "../../imports/index.ts";
import { isAsLeft } from "../ledger/keys.ts";
import { removalOrder } from "./removal-order.ts";
import type { Report, StreamReport } from "../report/report.ts";
import { listShared } from "../ledger/store-shared-accounts.ts";
import { untouchedAmong } from "../copy/edited-since.ts";
import type { OpenedSide, OpenRunSide } from "../chunk/chunk-context.ts";
import { type Looked, previewStream, shareOut, type StreamPreview } from "./preview-stream.ts";
import { spreadIds } from "./spread-ids.ts";
import { type PreviewedCopy, findLeaf, findRange, listCopiesAt } from "./store-undo-preview.ts";

export interface UndoPreviewNeeds {
  readonly db: Database;
  readonly openSide: OpenRunSide;
  readonly destinationStreams: (
    destination: OpenedSide,
    family: Family,
    signal: AbortSignal,
  ) => Promise<readonly DestinationStream[]>;
}

export interface UndoPreview {
  readonly streams: readonly StreamPreview[];
  /** False: the destination is not connected, or did not answer in time; edits are then unknown. */
  readonly looked: boolean;
}

const maxLookedAt = 200;
const copiesPerPlace = 5;

const chooseCopies = async (
  db: Database,
  where: { readonly leaf: string; readonly importId: string; readonly stream: string },
  { most, of }: { readonly most: number; readonly of: number },
): Promise<readonly PreviewedCopy[]> => {
  const range = await findRange(db, where);
  if (!range) return [];
  const places =
    most >= of ? [range.first] : spreadIds(range.first, range.last, Math.ceil(most / copiesPerPlace));
  // One position may lack what another has: ask for more than needed if positions are few.
  const each = Math.max(copiesPerPlace, Math.ceil(most / Math.max(1, places.length)));
  return (await listCopiesAt(db, where, places, each)).slice(0, most);
};

/** As `stream/id`; each checked copy that stays adds to it. */
interface Stays {
  /** What must stay with copies that stay. */
  readonly needed: Set<string>;
  readonly seen: Set<string>;
}

const look = async (
  db: Database,
  at: { readonly importId: string; readonly stream: string },
  {
    destination,
    to,
    copies,
    stays,
    signal,
  }: {
    readonly destination: OpenedSide;
    readonly to: DestinationStream;
    readonly copies: readonly PreviewedCopy[];
    readonly stays: Stays;
    readonly signal: AbortSignal;
  },
): Promise<Looked> => {
  const ids = copies.map(({ destId }) => destId);
  const account = { tool: destination.connector.manifest.name, accountId: destination.accountId };
  const shared = await listShared(db, at, account, ids);
  const now = ids.length === 0 ? [] : await to.read(destination.io(signal), ids);
  const differing = copies.flatMap(({ destId, destHash }, index) => {
    const record = now[index];
    return record && !isAsLeft(destHash, record, to) ? [destId] : [];
  });
  const untouched = await untouchedAmong(to, destination.io(signal), differing);
  const isEdited = (id: string) => differing.includes(id) && !untouched.has(id);
  const isPartOfStaying = (record: FamilyRecord) =>
    !to.remove && ownersOf(to.stream, record).some(({ stream, id }) => stays.seen.has(`${stream}/${id}`));
  let edited = 0;
  let gone = 0;
  let usedByAnother = 0;
  let bound = 0;
  copies.forEach(({ destId }, index) => {
    const record = now[index];
    if (!record) return void (gone += 1);
    if (shared.has(destId)) usedByAnother += 1;
    else if (isEdited(destId)) edited += 1;
    else if (stays.needed.has(`${at.stream}/${destId}`) || isPartOfStaying(record)) bound += 1;
    else return;
    stays.seen.add(`${at.stream}/${destId}`);
    for (const { stream, id } of referencesOf(to.stream, record)) stays.needed.add(`${stream}/${id}`);
  });
  return { checked: copies.length, edited, gone, usedByAnother, bound };
};

interface PreviewContext {
  readonly importId: string;
  readonly family: Family;
  readonly counted: Counted;
  readonly report: Report | undefined;
}

/** Null: the tool is slow or down, which must not hide the rest. */
const unlessUnreachable = async <R>(signal: AbortSignal, ask: () => Promise<R>): Promise<R | null> => {
  try {
    return await ask();
  } catch (error) {
    if (isConnectorError(error) || signal.aborted) return null;
    throw error;
  }
};

/** Records that were there without us. */
const othersAmong = ({ matched, keptFromBefore }: StreamReport): number => matched - keptFromBefore;

const streamsOf = ({ counted, report }: PreviewContext): readonly string[] => {
  const matched = (report?.streams ?? []).filter((each) => othersAmong(each) > 0).map(({ stream }) => stream);
  return [...new Set([...Object.keys(counted.items), ...matched])];
};

/** Predicts what an undo would remove and what it would leave, by checking at most a few hundred copies. */
export const createUndoPreview =
  ({ db, openSide, destinationStreams }: UndoPreviewNeeds) =>
  async (asked: PreviewContext, signal: AbortSignal): Promise<UndoPreview> => {
    const { importId, family, counted, report } = asked;
    const leaf = await findLeaf(db, importId);
    const destination = await openSide({ importId, side: "destination", runId: null });
    const offered =
      destination.kind === "open"
        ? await unlessUnreachable(signal, () => destinationStreams(destination, family, signal))
        : null;
    const shares = shareOut(counted.items, maxLookedAt);
    const stays: Stays = { needed: new Set(), seen: new Set() };
    let reached = offered !== null;
    const lookAt = async (stream: string, to: DestinationStream | undefined): Promise<Looked | null> => {
      if (destination.kind !== "open" || !to || leaf === undefined || !reached) return null;
      const copies = await chooseCopies(
        db,
        { leaf, importId, stream },
        {
          most: shares[stream] ?? 0,
          of: counted.items[stream] ?? 0,
        },
      );
      const looked = await unlessUnreachable(signal, () =>
        look(db, { importId, stream }, { destination, to, copies, stays, signal }),
      );
      reached = looked !== null;
      return looked;
    };
    const names = streamsOf(asked);
    const matchedIn = (stream: string): number | null => {
      const reported = report?.streams.find((each) => each.stream === stream);
      return reported ? othersAmong(reported) : null;
    };
    const placeOf = (stream: string) => familyStreams[family].findIndex(({ name }) => name === stream);
    const inOrder = names
      .toSorted((a, b) => placeOf(a) - placeOf(b))
      .map((name) => ({ name, to: offered?.find((each) => each.stream.name === name) ?? null }));
    const looks = new Map<string, StreamPreview>();
    // In the order of an undo; of two checks of a stream the second one counts.
    for (const { stream } of removalOrder(inOrder)) {
      const to = offered?.find((each) => each.stream.name === stream);
      looks.set(
        stream,
        previewStream(family, {
          stream,
          copies: counted.items[stream] ?? 0,
          matched: matchedIn(stream),
          removable: offered === null || (to !== undefined && isRemovable(to, offered)),
          looked: await lookAt(stream, to),
        }),
      );
    }
    return { streams: names.flatMap((name) => looks.get(name) ?? []), looked: reached };
  };

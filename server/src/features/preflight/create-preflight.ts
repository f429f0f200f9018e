import { type DestinationStream, type FamilyRecord, familyStreams } from "@portage/connector-kit";
import type { Family } from "@portage/contract";
import type { Database } from "../../platform/db.ts";
import type { Sealer } from "../../platform/seal.ts";
import type { OpenSide } from "../connections/index.ts";
import { findAnyImport, type ImportRecord } from "../imports/index.ts";
import {
  type Facts,
  gatherOnce,
  limitsRecords,
  loadFacts,
  loadMapping,
  type Mapping,
  personFor,
  suggestMapping,
} from "../mapping/index.ts";
import { canaryStreams, countCopied, findSilence, type SilenceNeeds } from "../runs/index.ts";
import { findNotUndoable, findUnreadable, findNoisy, findNoRoom } from "./tool-findings.ts";
import { type CheckedSides, checkSides } from "./check-sides.ts";
import { findEmptyFields, findOutdated, findPeople, findUnmatchedWords } from "./mapping-findings.ts";
import { declaredPerMinute, type Estimate, estimateRun } from "./estimate.ts";
import type { Finding } from "./finding.ts";
import type { Preflight, PreflightSilence } from "./preflight.ts";
import { createParts } from "./parts.ts";
import { findLeftBehind, findLong } from "./plan-findings.ts";
import { lookAtStreams, type StreamLook, wantedStreams } from "./look-at-streams.ts";
import type { ReachableSide } from "./tool-trouble.ts";

export interface PreflightNeeds {
  readonly db: Database;
  readonly sealer: Sealer;
  readonly openSide: OpenSide;
  readonly destinationStreams: (
    opened: ReachableSide,
    family: Family,
    signal: AbortSignal,
  ) => Promise<readonly DestinationStream<FamilyRecord>[]>;
  /** The requests that an account currently allows; null: unknown. */
  readonly requestsPerMinute: (tool: string, accountId: string) => Promise<number | null>;
  readonly silence: Pick<SilenceNeeds, "mailbox">;
  /** The deadline; the result lists the parts that were not checked by then. */
  readonly withinMs?: number;
}

export type RunPreflight = (importId: string) => Promise<Preflight>;

const longestMs = 60_000;
/** The deadline of the first call, which shows whether a tool answers at all. */
const answersWithinMs = 15_000;

type Sides = Extract<CheckedSides, { kind: "open" }>;

const peopleIn = (family: Family): string =>
  familyStreams[family].find(({ kind }) => kind === "people")?.name ?? "";

const perMinute = async ({ requestsPerMinute }: PreflightNeeds, { connector, accountId }: ReachableSide) =>
  (await requestsPerMinute(connector.manifest.name, accountId)) ?? declaredPerMinute(connector.manifest);

const estimateOf = async (
  needs: PreflightNeeds,
  { source, destination }: Sides,
  looks: readonly StreamLook[],
): Promise<Estimate> =>
  estimateRun(looks, {
    sourcePerMinute: await perMinute(needs, source),
    destinationPerMinute: await perMinute(needs, destination),
    shared:
      source.connector.manifest.name === destination.connector.manifest.name &&
      source.accountId === destination.accountId,
  });

/** Counts the copies of earlier runs, and people whom the mapping finds in the destination. */
const countThere =
  ({ db }: PreflightNeeds, { id, family, state }: ImportRecord, facts: Facts | null, mapping: Mapping) =>
  async (stream: string): Promise<number> => {
    const isUntouched = state.sampleCopy === "none" && state.fullCopy === "none";
    const copied = isUntouched ? 0 : await countCopied(db, id, stream);
    if (stream !== peopleIn(family) || !facts) return copied;
    const matched = facts.people.source.filter(
      ({ person }) => personFor(mapping, { stream, id: person.id }).kind !== "copy",
    ).length;
    return Math.max(copied, matched);
  };

const silenceOf = async (
  { db, silence: needs }: PreflightNeeds,
  { connector }: ReachableSide,
  { importId, family }: { readonly importId: string; readonly family: Family },
): Promise<PreflightSilence> => {
  if (canaryStreams(connector, family, needs).length === 0) return { kind: "promised" };
  const last = await findSilence(db, importId);
  const [first] = last?.messages ?? [];
  return {
    kind: "measured",
    last: last
      ? {
          records: last.records,
          at: last.at,
          caught: first ? { ...first, mend: connector.silence?.mend ?? "" } : null,
        }
      : null,
  };
};

const factFindings = (facts: Facts, mapping: Mapping): readonly Finding[] => [
  ...findPeople(facts, mapping, peopleIn(facts.family)),
  ...findUnmatchedWords(facts, mapping),
  ...findEmptyFields(facts, mapping),
  ...findOutdated(facts, mapping),
];

/** Checks everything that can be known before a full run: reads from both tools, writes to neither. */
export const createPreflight =
  (needs: PreflightNeeds): RunPreflight =>
  async (importId) => {
    const { db, sealer, openSide, destinationStreams, withinMs = longestMs } = needs;
    const found = await findAnyImport(db, sealer, importId);
    if (!found) throw new Error(`There is no import ${importId}.`);
    const { family } = found;
    const signal = AbortSignal.timeout(withinMs);
    const answering = AbortSignal.any([signal, AbortSignal.timeout(answersWithinMs)]);
    const sides = await checkSides(openSide, importId, answering);
    if (sides.kind === "blocked")
      return { findings: sides.findings, stays: null, estimate: null, silence: null };

    const { source, destination } = sides;
    const from = source.io(signal);
    const to = destination.io(signal);
    const label = {
      source: source.connector.manifest.label,
      destination: destination.connector.manifest.label,
    };
    const parts = createParts(signal, sides);
    const saved = await loadMapping(db, importId);

    const offered = await parts.ask("destination", "takes", () =>
      destinationStreams(destination, family, signal),
    );
    const looks =
      offered &&
      (await parts.ask("source", "counts", () =>
        lookAtStreams(wantedStreams(source, offered, saved.mapping, family), from),
      ));
    const facts =
      looks &&
      // An unreadable stream is a finding already, and gathering the facts would read it again.
      looks.every(({ refused }) => refused === null)
        ? await parts.ask(null, "matching", async () => {
            await gatherOnce(
              { db, sealer },
              { importId, family },
              { connector: source.connector, io: from },
              { connector: destination.connector, io: to },
            );
            return (await loadFacts({ db, sealer }, importId)) ?? null;
          })
        : null;
    const mapping = saved.revision > 0 || !facts ? saved.mapping : suggestMapping(facts);
    const roomless =
      looks &&
      (await parts.ask("destination", "plan", () =>
        findNoRoom(looks, {
          io: to,
          label: label.destination,
          thereAlready: countThere(needs, found, facts, mapping),
          copiesAll: !limitsRecords(mapping.selection),
        }),
      ));
    const estimate = looks && (await estimateOf(needs, sides, looks));
    return {
      findings: [
        ...(looks ? findUnreadable(looks, label.source) : []),
        ...(roomless ?? []),
        ...parts.findings(),
        ...(looks ? findLeftBehind(looks, label.destination) : []),
        ...(looks ? findNoisy(looks, label.destination) : []),
        ...(estimate ? findLong(estimate) : []),
        ...(facts ? factFindings(facts, mapping) : []),
      ],
      silence: await silenceOf(needs, destination, { importId, family }),
      stays: looks && findNotUndoable(looks, offered ?? []),
      estimate,
    };
  };

import { findStream } from "@portage/connector-kit";
import type { CauseCount, Report, StreamReport } from "../runs/index.ts";
import type { Simulation } from "./simulation.ts";
import { copiedBy, lostCodes } from "./simulated-summary.ts";

/** The last copy that completed; an undo leaves its report. */
const lastCopy = ({ state }: Simulation): "sample" | "full" | null => {
  if (state.status === "migration_cleaned" || state.fullCopy === "all") return "full";
  return state.sampleCopy === "all" ? "sample" : null;
};

const causes = (code: string, count: number): readonly CauseCount[] =>
  count === 0 ? [] : [{ code, count, examples: [] }];

/** The report that an import of this state would have: invented, and consistent with the simulation's figures. */
export const simulatedReport = (simulation: Simulation): Report | undefined => {
  const kind = lastCopy(simulation);
  if (kind === null) return undefined;
  const { id, family, createdAt } = simulation;
  return {
    importId: id,
    run: { id, number: kind === "full" ? 2 : 1, kind, startedAt: createdAt, endedAt: createdAt },
    undone: simulation.state.status === "migration_cleaned",
    leftBehind: [],
    createdFields: [],
    silence: null,
    streams: copiedBy(simulation, family, kind).map(
      ({ stream, written, failed, skipped }): StreamReport => ({
        stream,
        label: findStream(family, stream)?.label ?? stream,
        source: written + failed + skipped,
        written,
        matched: 0,
        keptFromBefore: 0,
        skipped: causes(lostCodes.skipped, skipped),
        failed: causes(lostCodes.failed, failed),
        behind: [],
        deletedAtSource: 0,
        changes: [],
        verified: {
          oneOf: 1,
          compared: written,
          same: written,
          differs: 0,
          gone: 0,
          doubled: 0,
          changedAtSource: 0,
          refused: 0,
          fields: [],
          files: null,
          examples: { differs: [], gone: [], doubled: [], changedAtSource: [], refused: [] },
        },
      }),
    ),
  };
};

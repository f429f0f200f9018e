import type { Database } from "../../../platform/db.ts";
import type { Sealer } from "../../../platform/seal.ts";
import { savePeopleFound } from "../../imports/index.ts";
import { gatherOnce, mappingForRun } from "../../mapping/index.ts";
import type { Side } from "../run.ts";
import { onSide } from "../chunk/sides.ts";
import { setMappingRevision } from "../lifecycle/store-runs.ts";
import type { OpenedSide, ChunkContext } from "../chunk/chunk-context.ts";

export type ChooseMapping = (ctx: ChunkContext) => Promise<number>;

/**
 * The mapping revision that this run uses. Before the first run, reads from both tools what there is to match; if the
 * customer has decided nothing, saves the suggestion and uses it.
 */
export const createChooseMapping =
  ({ db, sealer }: { readonly db: Database; readonly sealer: Sealer }): ChooseMapping =>
  async (ctx) => {
    const { lease, source, destination, signal } = ctx;
    const asking = (side: Side, { connector, io }: OpenedSide): Parameters<typeof gatherOnce>[2] => ({
      connector,
      io: io(signal),
      asked: (question) => onSide(side, question),
    });
    const people = await gatherOnce(
      { db, sealer },
      { importId: lease.importId, family: lease.family },
      asking("source", source),
      asking("destination", destination),
    );
    if (people) await savePeopleFound(db, lease.importId, people);
    const { revision } = await mappingForRun({ db, sealer }, lease.importId);
    await setMappingRevision(db, lease, revision);
    return revision;
  };

import {
  changedFieldLabel,
  isStreamSelected,
  loadFacts,
  loadMapping,
  loadResolvedMapping,
  movable,
} from "../../../features/mapping/index.ts";
import {
  countSample,
  createAddToSample,
  findChoosing,
  findSampleCoverage,
  listSampleChanges,
  listSampleResults,
  type OpenRunSide,
} from "../../../features/runs/index.ts";
import type { Database } from "../../../platform/db.ts";
import type { Sealer } from "../../../platform/seal.ts";
import type { WizardRoute } from "../access/route.ts";
import { addRecord } from "./add-record.ts";
import { listChanges } from "./list-changes.ts";
import { listRecords } from "./list-records.ts";
import { createReadAsBy } from "./read-as-by.ts";
import { showSample } from "./show-sample.ts";

export interface SampleRoutesNeeds {
  readonly db: Database;
  readonly sealer: Sealer;
  readonly openSide: OpenRunSide;
}

/** The customer reviews the sample. */
export const sampleRoutes = (needs: SampleRoutesNeeds): readonly WizardRoute[] => {
  const { db, sealer } = needs;
  const add = createAddToSample(needs);
  /** Without facts every selected stream counts as included: the sample shows which ones can't move. */
  const includedIn = async (importId: string) => {
    const { mapping } = await loadMapping(db, importId);
    const facts = await loadFacts(needs, importId);
    const canMove = facts && new Set(movable(facts).map(({ name }) => name));
    return (stream: string) => isStreamSelected(mapping, stream) && (canMove?.has(stream) ?? true);
  };
  return [
    showSample({
      findCoverage: (importId) => findSampleCoverage(db, sealer, importId),
      findChoosing: (importId) => findChoosing(db, sealer, importId),
      count: (importId) => countSample(db, importId),
    }),
    listRecords({
      listResults: (importId, page) => listSampleResults(db, sealer, importId, page),
      readAsBy: createReadAsBy(needs),
    }),
    listChanges({
      listChanges: (importId) => listSampleChanges(db, sealer, importId),
      labelsOf: async ({ id }) => {
        const mapping = await loadResolvedMapping(db, id);
        return (stream, change) => changedFieldLabel(mapping, stream, change);
      },
    }),
    addRecord({
      add: async ({ id: importId, family }, url, signal) =>
        add({ importId, family, url, includes: await includedIn(importId) }, signal),
    }),
  ];
};

import { simulationIdPattern } from "@portage/contract";
import type { Database } from "../../platform/db.ts";
import type { Sealer } from "../../platform/seal.ts";
import type { ImportFilter, ImportRecord, ImportWithWarnings } from "../imports/index.ts";
import type { Report } from "../runs/index.ts";
import { catchUp, catchUpAll } from "./move-simulation.ts";
import { type Simulation, toImport } from "./simulation.ts";
import { simulatedReport } from "./simulated-report.ts";
import { simulatedSummary } from "./simulated-summary.ts";
import { findSimulation, listSimulations } from "./store.ts";

interface Needs {
  readonly db: Database;
  readonly sealer: Sealer;
}

/** Reads the current state, after the due turns: it depends on the time alone, not on the background job. */
const findCurrent = async ({ db, sealer }: Needs, id: string): Promise<Simulation | undefined> => {
  // Never query for a malformed id: the database refuses some texts outright.
  if (!simulationIdPattern.test(id)) return undefined;
  const found = await findSimulation(db, sealer, id);
  if (!found?.turnAt || found.turnAt > found.now) return found;
  await catchUp({ db, sealer }, id);
  return findSimulation(db, sealer, id);
};

export const lookAtSimulation = async (
  needs: Needs,
  id: string,
): Promise<{ readonly found: ImportWithWarnings; readonly isOver: boolean } | undefined> => {
  const found = await findCurrent(needs, id);
  return found && { found: toImport(found), isOver: found.turnAt === null };
};

/** Finds an open simulation of this partner. */
export const findOpenSimulation = async (
  needs: Needs,
  partnerId: string,
  id: string,
): Promise<ImportWithWarnings | undefined> => {
  const { found } = (await lookAtSimulation(needs, id)) ?? {};
  return found?.partnerId === partnerId && !found.state.closed ? found : undefined;
};

/** The report of an open simulation of this partner; `report` is undefined before a copy has completed. */
export const findSimulatedReport = async (
  needs: Needs,
  partnerId: string,
  id: string,
): Promise<{ readonly found: Simulation; readonly report: Report | undefined } | undefined> => {
  const found = await findCurrent(needs, id);
  if (found?.partnerId !== partnerId || found.state.closed) return undefined;
  return { found, report: simulatedReport(found) };
};

/** How far the live run of a simulation has come; null: it has none. */
export const findSimulatedProgress = async (db: Database, sealer: Sealer, id: string) => {
  const found = await findSimulation(db, sealer, id);
  if (!found || found.state.closed) return null;
  const shown = simulatedSummary(found, found.family, found.now);
  return shown.progress && { found, shown, run: shown.progress };
};

export const listOpenSimulations = async (
  needs: Needs,
  partnerId: string,
  filter: ImportFilter,
  page: { readonly limit: number | null; readonly before: string | null },
): Promise<readonly ImportRecord[]> => {
  await catchUpAll(needs, partnerId);
  return (await listSimulations(needs.db, needs.sealer, partnerId, filter, page)).map(toImport);
};

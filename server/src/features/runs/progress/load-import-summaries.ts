import type { Database } from "../../../platform/db.ts";
import { type Counted, type Figures, type RunFinding, noFigures, type RunKind } from "../../imports/index.ts";
import { type ImportSummary, progressOf, type QuotaOf, type RunProgress } from "./progress.ts";
import type { Standing } from "./store-progress.ts";

/** What is shown of an import beside its own row. */
export interface ShownImport extends Figures {
  readonly progress: RunProgress | null;
  /** What its row said at the moment of the figures, if they are not from the reading that was given. */
  readonly standing?: Standing;
}

/** An import as read, with the figures of its ended runs. */
export interface Read {
  readonly id: string;
  readonly liveRun: RunKind | null;
  readonly counted: Counted;
  readonly findings?: readonly RunFinding[];
}

/** Answers the state of each given import. */
export type LoadImportSummaries = (
  imports: readonly Read[],
  options?: { readonly causes?: boolean },
) => Promise<(id: string) => ShownImport>;

/** The state of imports that were just read: only those with a live run need a query, and all of them the same one. */
export const createLoadImportSummaries =
  (db: Database, quotaOf?: QuotaOf): LoadImportSummaries =>
  async (imports, { causes = false } = {}) => {
    const live = imports.flatMap(({ id, liveRun }) => (liveRun === null ? [] : [id]));
    const summaries: ReadonlyMap<string, ImportSummary> =
      live.length === 0 ? new Map() : await progressOf(db, live, { causes, ...(quotaOf && { quotaOf }) });
    const ended = new Map(imports.map((each) => [each.id, each]));
    return (id) => {
      const summary = summaries.get(id);
      if (summary) return { ...summary, standing: summary };
      const { counted, findings = [] } = ended.get(id) ?? { counted: noFigures };
      return { ...counted, findings, progress: null };
    };
  };

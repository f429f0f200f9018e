import type { Database } from "../../../platform/db.ts";
import { type Counted, type Figures, type Finding, noFigures, type RunKind } from "../../imports/index.ts";
import { progressOf, type QuotaOf, type RunProgress } from "./progress.ts";

/** What is shown of an import beside its own row. */
export interface Shown extends Figures {
  readonly progress: RunProgress | null;
}

/** An import as it was read, with what its ended runs left. */
export interface Read {
  readonly id: string;
  readonly liveRun: RunKind | null;
  readonly counted: Counted;
  readonly findings?: readonly Finding[];
}

/** Answers how each of those that were given stands. */
export type StandingsOf = (
  imports: readonly Read[],
  options?: { readonly causes?: boolean },
) => Promise<(id: string) => Shown>;

/** How imports that were just read stand: only those with a live run need a question, and all of them the same one. */
export const createStandingsOf =
  (db: Database, quotaOf?: QuotaOf): StandingsOf =>
  async (imports, { causes = false } = {}) => {
    const live = imports.flatMap(({ id, liveRun }) => (liveRun === null ? [] : [id]));
    const standings: ReadonlyMap<string, Shown> =
      live.length === 0 ? new Map() : await progressOf(db, live, { causes, ...(quotaOf && { quotaOf }) });
    const ended = new Map(imports.map((each) => [each.id, each]));
    return (id) => {
      const { counted, findings = [] } = ended.get(id) ?? { counted: noFigures };
      return standings.get(id) ?? { ...counted, findings, progress: null };
    };
  };

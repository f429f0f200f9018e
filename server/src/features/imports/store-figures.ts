import { sql } from "kysely";
import type { Database, Transaction } from "../../platform/db.ts";
import type { Figures } from "./figures.ts";

/** Replaces the figures of an import, within the transaction that ends the run. */
export const saveFigures = async (
  tx: Transaction,
  importId: string,
  { items, people, findings }: Figures,
): Promise<void> => {
  await tx
    .updateTable("imports")
    .set({
      items: JSON.stringify(items),
      sourcePeople: people.source,
      // Listing the destination's people sets their number; a run does not.
      matchedPeople: people.matched,
      findings: JSON.stringify(findings),
    })
    .where("id", "=", importId)
    .execute();
};

/** Saves the number of people in the two tools, as counted by a listing. */
export const savePeopleFound = async (
  db: Database,
  importId: string,
  { source, destination }: { readonly source: number; readonly destination: number },
): Promise<void> => {
  await db.sql
    .updateTable("imports")
    .set({
      sourcePeople: sql<number>`greatest(source_people, ${source}::int)`,
      destinationPeople: destination,
    })
    .where("id", "=", importId)
    .execute();
};

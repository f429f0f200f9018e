import { sql } from "kysely";
import type { Database, Transaction } from "../../platform/db.ts";
import type { Figures } from "./figures.ts";

/** Puts the figures of an import in place of those before: within the transaction that ends the run. */
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
      // Whoever lists the destination's people says how many there are; a run does not.
      matchedPeople: people.matched,
      findings: JSON.stringify(findings),
    })
    .where("id", "=", importId)
    .execute();
};

/** How many people the two tools have, from whoever listed them. */
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

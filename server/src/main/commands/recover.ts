import type { Command } from "commander";
import { restoreEventOrder } from "../../features/events/index.ts";
import { recognizeLoss } from "../../features/runs/index.ts";
import type { Operator } from "./operator.ts";

export const recoverCommand = (program: Command, operator: Operator): void => {
  program
    .command("recover")
    .description(
      "Declare that PostgreSQL lost commits, if workers can't notice it, as after a disk snapshot: runs look records up first",
    )
    .action(() =>
      operator.withDatabase(async (db) => {
        const { runs } = await recognizeLoss(db);
        const events = await restoreEventOrder(db);
        if (events > 0)
          operator.remark(`Events of another server that now have their order again: ${events}.`);
        operator.answer(
          { runs, events },
          () =>
            `Unfinished runs that now look up every record before they create it: ${runs}. So does the next run of each import.`,
        );
      }),
    );
};

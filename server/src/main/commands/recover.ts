import type { Command } from "commander";
import { restoreEventOrder } from "../../features/events/index.ts";
import { recognizeLoss } from "../../features/runs/index.ts";
import { noteDirectChange } from "./direct-change.ts";
import type { Operator } from "./operator.ts";

export const recoverCommand = (command: Command, operator: Operator): void => {
  command.action(() =>
    operator.withDatabase(async (db) => {
      const { runs } = await recognizeLoss(db);
      const events = await restoreEventOrder(db);
      await noteDirectChange(db, "recover", {
        target: { kind: "system", id: "recover" },
        after: { runs, events },
      });
      if (events > 0) operator.remark(`Events of another server that now have their order again: ${events}.`);
      operator.answer(
        { runs, events },
        () =>
          `Unfinished runs that now look up every record before they create it: ${runs}. So does the next run of each import.`,
      );
    }),
  );
};

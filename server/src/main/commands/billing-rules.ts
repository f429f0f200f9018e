import type { Command } from "commander";
import {
  findRules,
  listPastQuotes,
  previewCost,
  saveRules,
  sponsorRulesSchema,
} from "../../features/billing/index.ts";
import { readInput } from "./billing-input.ts";
import { CommandError } from "./command-error.ts";
import { knownPartner } from "./known-partner.ts";
import type { Operator } from "./operator.ts";
import { wholeNumber } from "./paging.ts";
import { sheet, table } from "./table.ts";

const noRules = (partnerId: string) =>
  new CommandError("no_rules", `${partnerId} has no rules: it is asked each time.`, {
    fix: `portage billing sponsor-rules set ${partnerId} < rules.json sets them.`,
  });

/** When a partner's word is given without asking it. */
export const billingRules = (billing: Command, operator: Operator): void => {
  const rules = billing.command("sponsor-rules").description("when a partner pays without being asked");

  rules
    .command("set")
    .description("replace the rules by the JSON on stdin: rules, monthlyBudget, currency")
    .argument("<partner>", "whose")
    .action(async (partnerId: string) => {
      const given = await readInput(operator, sponsorRulesSchema);
      await operator.withDatabase(async (db) => {
        await knownPartner(db, partnerId);
        await saveRules(db, partnerId, given);
      });
      operator.answer(
        { partner: partnerId, ...given },
        () => `${given.rules.length} rules hold for ${partnerId}.`,
      );
    });

  rules
    .command("show")
    .description("the rules that hold")
    .argument("<partner>", "whose")
    .action(async (partnerId: string) => {
      const found = await operator.withDatabase(async (db) => {
        await knownPartner(db, partnerId);
        return findRules(db, partnerId);
      });
      if (!found) throw noRules(partnerId);
      operator.answer({ partner: partnerId, ...found }, () =>
        [
          sheet({ currency: found.currency, "monthly budget": found.monthlyBudget ?? "no limit" }),
          table(
            ["rule", "up to records", "up to cost", "plan"],
            found.rules.map((each) => [each.name, each.upToRecords, each.upToCost, each.planTag]),
          ),
        ].join("\n\n"),
      );
    });

  rules
    .command("preview")
    .description("what rules would have accepted of what was quoted lately, and its cost")
    .argument("<partner>", "whose")
    .option("--days <number>", "how far back", wholeNumber(1, 365), 30)
    .option("--stdin", "the rules on stdin, not those that hold")
    .action(async (partnerId: string, { days, stdin }: { days: number; stdin?: true }) => {
      const given = stdin ? await readInput(operator, sponsorRulesSchema) : undefined;
      const preview = await operator.withDatabase(async (db) => {
        await knownPartner(db, partnerId);
        const tried = given ?? (await findRules(db, partnerId));
        if (!tried) throw noRules(partnerId);
        return previewCost(tried, await listPastQuotes(db, partnerId, days));
      });
      operator.answer({ partner: partnerId, days, ...preview }, () =>
        [
          `${preview.accepted} of ${preview.imports} imports, ${preview.cost} ${preview.currency} in minor units.`,
          table(
            ["rule", "accepted", "minor units"],
            preview.byRule.map(({ rule, accepted, cost }) => [rule, accepted, cost]),
          ),
        ].join("\n\n"),
      );
    });
};

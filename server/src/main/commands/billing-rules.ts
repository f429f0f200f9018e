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
import { directChange } from "./direct-change.ts";
import { requirePartner } from "./require-partner.ts";
import type { Operator } from "./operator.ts";
import { wholeNumber } from "./paging.ts";
import { sheet, table } from "./table.ts";

const noRules = (partnerId: string) =>
  new CommandError("no_rules", `${partnerId} has no sponsor rules: Portage asks it each time.`, {
    fix: `Run: portage billing sponsor-rules set ${partnerId} < rules.json`,
  });

/** Rules by which Portage accepts sponsorship for a partner without asking it. */
export const billingRules = (billing: Command, operator: Operator): void => {
  const rules = billing.command("sponsor-rules").description("Manage rules for automatic sponsorship");

  rules
    .command("set")
    .description("Replace the rules with JSON from stdin: rules, monthlyBudget, currency")
    .argument("<partner>", "Partner id")
    .action(async (partnerId: string) => {
      const given = await readInput(operator, sponsorRulesSchema);
      await operator.withDatabase(async (db) => {
        await requirePartner(db, partnerId);
        await directChange(db, "setSponsorRules", async (within) => {
          const before = (await findRules(within, partnerId)) ?? null;
          await saveRules(within, partnerId, given);
          return { result: null, target: { kind: "partner", id: partnerId }, before, after: given };
        });
      });
      operator.answer(
        { partner: partnerId, ...given },
        () => `${given.rules.length} rules apply to ${partnerId}.`,
      );
    });

  rules
    .command("show")
    .description("Show a partner's rules")
    .argument("<partner>", "Partner id")
    .action(async (partnerId: string) => {
      const found = await operator.withDatabase(async (db) => {
        await requirePartner(db, partnerId);
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
    .description("Show which recent quotes the rules would have accepted, and the cost")
    .argument("<partner>", "Partner id")
    .option("--days <number>", "Number of days to look back", wholeNumber(1, 365), 30)
    .option("--stdin", "Read the rules from stdin instead of the saved ones")
    .action(async (partnerId: string, { days, stdin }: { days: number; stdin?: true }) => {
      const given = stdin ? await readInput(operator, sponsorRulesSchema) : undefined;
      const preview = await operator.withDatabase(async (db) => {
        await requirePartner(db, partnerId);
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

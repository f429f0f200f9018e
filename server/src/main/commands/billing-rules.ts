import type { OperatorRulesPreview, OperatorSponsorRules } from "@portage/contract/operator";
import type { Command } from "commander";
import { sponsorRulesSchema } from "../../features/billing/index.ts";
import { readInput } from "./billing-input.ts";
import { CommandError } from "./command-error.ts";
import { rulesBody, rulesJson } from "./billing-shown.ts";
import type { Operator } from "./operator.ts";
import { withOperatorApi } from "./operator-api.ts";
import { pathOf } from "./operator-call.ts";
import { wholeNumber } from "./paging.ts";
import { noPartner } from "./no-partner.ts";
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
      await withOperatorApi(operator, (call) =>
        call(pathOf`/partners/${partnerId}/sponsor-rules`, {
          method: "PUT",
          body: rulesBody(given),
          refusals: noPartner(partnerId),
        }),
      );
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
      const { sponsor_rules: rulesSet } = await withOperatorApi(operator, (call) =>
        call<{ sponsor_rules: OperatorSponsorRules | null }>(pathOf`/partners/${partnerId}/sponsor-rules`, {
          refusals: noPartner(partnerId),
        }),
      );
      if (!rulesSet) throw noRules(partnerId);
      const found = rulesJson(rulesSet);
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
      const { by_rule: byRule, ...found } = await withOperatorApi(operator, (call) =>
        call<OperatorRulesPreview>(pathOf`/partners/${partnerId}/sponsor-rules/preview`, {
          method: "POST",
          body: { days, rules: given && rulesBody(given) },
          refusals: { ...noPartner(partnerId), conflict: () => noRules(partnerId) },
        }),
      );
      const preview = { ...found, byRule };
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

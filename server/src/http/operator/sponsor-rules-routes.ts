import { rulesPreviewSchema, sponsorRulesSchema as rulesSchema } from "@portage/contract/operator";
import { z } from "zod";
import {
  findRules,
  listPastQuotes,
  previewCost,
  saveRules,
  sponsorRulesSchema,
  type SponsorRuleSet,
} from "../../features/billing/index.ts";
import { Problem } from "../answer.ts";
import { checked } from "./checked.ts";
import { heldPartner, knownPartner } from "./find.ts";
import { operatorRoute, type OperatorRoute } from "./operation.ts";

const rulesJson = ({ rules, monthlyBudget, currency: of }: SponsorRuleSet) => ({
  rules: rules.map(({ name, upToRecords, upToCost, planTag }) => ({
    name,
    ...(upToRecords !== undefined && { up_to_records: upToRecords }),
    ...(upToCost !== undefined && { up_to_cost: upToCost }),
    ...(planTag !== undefined && { plan_tag: planTag }),
  })),
  monthly_budget: monthlyBudget,
  currency: of,
});

const givenRules = z.object({
  rules: z.array(
    z.strictObject({
      name: z.unknown().optional(),
      up_to_records: z.unknown().optional(),
      up_to_cost: z.unknown().optional(),
      plan_tag: z.unknown().optional(),
    }),
  ),
  monthly_budget: z.unknown().optional(),
  currency: z.unknown().optional(),
});

const readRules = ({ rules, monthly_budget: monthlyBudget, currency }: z.infer<typeof givenRules>) =>
  checked(sponsorRulesSchema, {
    currency,
    ...(monthlyBudget !== undefined && { monthlyBudget }),
    rules: rules.map((rule) => ({
      name: rule.name,
      ...(rule.up_to_records !== undefined && { upToRecords: rule.up_to_records }),
      ...(rule.up_to_cost !== undefined && { upToCost: rule.up_to_cost }),
      ...(rule.plan_tag !== undefined && { planTag: rule.plan_tag }),
    })),
  });

/** By which rules sponsorship of a partner's imports is accepted without asking it. */
export const sponsorRulesRoutes = (): readonly OperatorRoute[] => [
  operatorRoute(
    {
      id: "showSponsorRules",
      method: "GET",
      path: "/partners/:id/sponsor-rules",
      area: "billing",
      role: "viewer",
      summary: "Show a partner's sponsor rules",
      description: "By which sponsorship is accepted without asking it. Null: it is asked each time.",
      answer: z.object({ sponsor_rules: rulesSchema.nullable() }),
    },
    async ({ db, params }) => {
      const { id } = await knownPartner(db, params["id"] ?? "");
      const found = await findRules(db, id);
      return { body: { sponsor_rules: found ? rulesJson(found) : null }, target: { kind: "partner", id } };
    },
  ),
  operatorRoute(
    {
      id: "setSponsorRules",
      method: "PUT",
      path: "/partners/:id/sponsor-rules",
      area: "billing",
      role: "admin",
      summary: "Replace a partner's sponsor rules",
      description: "The first rule that matches accepts, as long as the month's budget lasts.",
      body: givenRules,
      answer: z.object({ sponsor_rules: rulesSchema }),
    },
    async ({ db, params, body }) => {
      // Held by the partner: the first rules have no row yet.
      const { id } = await heldPartner(db, params["id"] ?? "");
      const given = readRules(body);
      const before = await findRules(db, id);
      await saveRules(db, id, given);
      return {
        body: { sponsor_rules: rulesJson(given) },
        target: { kind: "partner", id },
        before: before ? rulesJson(before) : null,
        after: rulesJson(given),
      };
    },
  ),
  operatorRoute(
    {
      id: "previewSponsorRules",
      method: "POST",
      reads: true,
      path: "/partners/:id/sponsor-rules/preview",
      area: "billing",
      role: "viewer",
      summary: "Preview a partner's sponsor rules",
      description:
        "Which recent quotes they would have accepted, and what that would have cost. Changes nothing.",
      body: z.object({
        days: z.int().min(1).max(365).default(30).describe("How far to look back."),
        rules: givenRules
          .strict()
          .optional()
          .describe("Rules to try, as `setSponsorRules` takes them. Left out: the saved ones."),
      }),
      answer: rulesPreviewSchema,
      conflict: "The partner has no rules, and none were given.",
    },
    async ({ db, params, body: { days, rules } }) => {
      const { id } = await knownPartner(db, params["id"] ?? "");
      const tried = rules === undefined ? await findRules(db, id) : readRules(rules);
      if (!tried) throw new Problem("conflict", "The partner has no sponsor rules: it is asked each time.");
      const { byRule, ...preview } = previewCost(tried, await listPastQuotes(db, id, days));
      return { body: { ...preview, by_rule: byRule }, target: { kind: "partner", id } };
    },
  ),
];

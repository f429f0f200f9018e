import { z } from "zod";

const ruleSchema = z
  .object({
    name: z.string().trim().min(1, "can't be blank").max(80),
    upToRecords: z.int().min(0).optional(),
    /** In minor units of the rules' currency. */
    upToCost: z.int().min(0).optional(),
    /** Matches imports whose reference has the word plan:… with this name. */
    planTag: z
      .string()
      .regex(/^[A-Za-z0-9._-]{1,60}$/, "must be 1 to 60 letters, digits, dots, _ and -")
      .optional(),
  })
  .strict();

export type SponsorRule = z.infer<typeof ruleSchema>;

/** Rules that accept sponsorship without asking the partner: the first matching rule accepts. */
export const sponsorRulesSchema = z.object({
  rules: z
    .array(ruleSchema)
    .max(50)
    .refine(
      (rules) => new Set(rules.map(({ name }) => name)).size === rules.length,
      "must have different names",
    ),
  /** The most that rules may promise in a calendar month (UTC), in minor units; null: no limit. */
  monthlyBudget: z.int().min(0).nullable().default(null),
  currency: z.string().regex(/^[a-z]{3}$/, "must be an ISO 4217 code in lower case, such as eur"),
});

export type SponsorRuleSet = z.infer<typeof sponsorRulesSchema>;

/** The customer's plan in an import's reference: its first word plan:NAME. */
export const planTagOf = (reference: string | null): string | null =>
  /(?:^|\s)plan:([A-Za-z0-9._-]{1,60})(?=\s|$)/.exec(reference ?? "")?.[1] ?? null;

export interface ToDecide {
  readonly records: number;
  readonly cost: number;
  readonly currency: string;
  readonly planTag: string | null;
}

export type RuleDecision =
  | { readonly kind: "accept"; readonly rule: string }
  | { readonly kind: "leave"; readonly why: "no_rule_fits" | "over_budget" | "other_currency" };

const fits = (rule: SponsorRule, { records, cost, planTag }: ToDecide): boolean =>
  (rule.upToRecords === undefined || records <= rule.upToRecords) &&
  (rule.upToCost === undefined || cost <= rule.upToCost) &&
  (rule.planTag === undefined || planTag === rule.planTag);

/** Decides whether a rule accepts for the partner, and which one. */
export const decideByRules = (
  { rules, monthlyBudget, currency }: SponsorRuleSet,
  asked: ToDecide,
  spentThisMonth: number,
): RuleDecision => {
  if (asked.currency !== currency) return { kind: "leave", why: "other_currency" };
  const rule = rules.find((each) => fits(each, asked));
  if (!rule) return { kind: "leave", why: "no_rule_fits" };
  if (monthlyBudget !== null && spentThisMonth + asked.cost > monthlyBudget)
    return { kind: "leave", why: "over_budget" };
  return { kind: "accept", rule: rule.name };
};

export interface CostPreview {
  readonly imports: number;
  readonly accepted: number;
  readonly cost: number;
  readonly currency: string;
  readonly byRule: readonly { readonly rule: string; readonly accepted: number; readonly cost: number }[];
  readonly left: Readonly<Record<"no_rule_fits" | "over_budget" | "other_currency", number>>;
}

export interface PastQuote extends ToDecide {
  readonly at: Date;
}

const monthOf = (at: Date) => at.toISOString().slice(0, 7);

/** Replays past quotes, oldest first: what these rules would have accepted, and at what cost. */
export const previewCost = (rules: SponsorRuleSet, past: readonly PastQuote[]): CostPreview => {
  const spent = new Map<string, number>();
  const byRule = new Map(rules.rules.map(({ name }) => [name, { accepted: 0, cost: 0 }]));
  const left = { no_rule_fits: 0, over_budget: 0, other_currency: 0 };
  for (const quote of past) {
    const month = monthOf(quote.at);
    const before = spent.get(month) ?? 0;
    const decided = decideByRules(rules, quote, before);
    if (decided.kind === "leave") {
      left[decided.why]++;
      continue;
    }
    spent.set(month, before + quote.cost);
    const sum = byRule.get(decided.rule) ?? { accepted: 0, cost: 0 };
    byRule.set(decided.rule, { accepted: sum.accepted + 1, cost: sum.cost + quote.cost });
  }
  const rows = [...byRule].map(([rule, sum]) => ({ rule, ...sum }));
  return {
    imports: past.length,
    accepted: rows.reduce((sum, { accepted }) => sum + accepted, 0),
    cost: rows.reduce((sum, { cost }) => sum + cost, 0),
    currency: rules.currency,
    byRule: rows,
    left,
  };
};

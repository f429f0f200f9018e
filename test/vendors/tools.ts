import { freshdeskFacts } from "./freshdesk/facts.ts";
import { freshdeskLaws } from "./freshdesk/laws.ts";
import * as freshdesk from "./freshdesk/spec.ts";
import { intercomFacts } from "./intercom/facts.ts";
import { intercomLaws } from "./intercom/laws.ts";
import * as intercom from "./intercom/spec.ts";
import type { Amendment } from "./kit/amend-excerpt.ts";
import type { Claim, Laws } from "./kit/laws.ts";
import type { ExcerptPlan } from "./kit/spec-excerpt.ts";
import { zendeskFacts } from "./zendesk/facts.ts";
import { zendeskLaws } from "./zendesk/laws.ts";
import * as zendesk from "./zendesk/spec.ts";

export interface VendorTool {
  readonly tool: string;
  readonly title: string;
  /** Whose description the stand-in is held to. */
  readonly describedBy: string;
  readonly plan: ExcerptPlan;
  readonly laws: Laws;
  readonly amendments: readonly Amendment[];
  readonly facts: readonly Claim[];
  readonly undescribed: readonly string[];
}

/** The tools that have a stand-in here. */
export const vendorTools: readonly VendorTool[] = [
  {
    tool: "zendesk",
    title: "Zendesk",
    describedBy: "the vendor's own OpenAPI file, in a copy of 2024",
    plan: zendesk.zendeskPlan,
    laws: zendeskLaws,
    amendments: zendesk.zendeskAmendments,
    facts: zendeskFacts,
    undescribed: zendesk.undescribed,
  },
  {
    tool: "freshdesk",
    title: "Freshdesk",
    describedBy: "an OpenAPI file of a third party: the vendor publishes none",
    plan: freshdesk.freshdeskPlan,
    laws: freshdeskLaws,
    amendments: freshdesk.freshdeskAmendments,
    facts: freshdeskFacts,
    undescribed: freshdesk.undescribed,
  },
  {
    tool: "intercom",
    title: "Intercom",
    describedBy: "the vendor's own OpenAPI file, version 2.16",
    plan: intercom.intercomPlan,
    laws: intercomLaws,
    amendments: intercom.intercomAmendments,
    facts: intercomFacts,
    undescribed: intercom.undescribed,
  },
];

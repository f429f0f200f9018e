import { type Family, families, filledText, type Payer, payers, text } from "@portage/contract";
import { z } from "zod";

const httpUrl = z.url({ protocol: /^https?$/, error: "must be an http or https address" }).max(2048);

/** Exactly an origin as browsers define it: nothing else may enter a page's security policy. */
const origin = z.string().refine((given) => {
  const url = URL.parse(given);
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === given;
}, "must be an origin such as https://app.example.com");

/** How the wizard looks for a partner's customers. */
export const brandingSchema = z.object({
  color: z
    .string()
    .regex(/^#[0-9a-f]{6}$/i, "must be a color such as #1d4ed8")
    .optional(),
  helpUrl: httpUrl.optional(),
  privacyUrl: httpUrl.optional(),
  helpEmail: z.email("must be an email address").max(320).optional(),
  returnUrl: httpUrl.optional(),
  /** The sites that may show the wizard within their own pages. */
  embedOrigins: z.array(origin).max(20).optional(),
});

export type Branding = z.infer<typeof brandingSchema>;

/** No longer than the ledger, which has the new ids. */
export const maxOldLinksDays = 400;

/** The operator's settings for a partner. */
export const partnerSettingsSchema = z.object({
  name: filledText(200),
  destinationTool: text(100),
  defaultFamily: z.enum(families, { error: `must be one of ${families.join(", ")}` }).nullable(),
  payer: z.enum(payers, { error: `must be one of ${payers.join(", ")}` }),
  /** The partner's own page for customers who ask for the full migration. */
  fullRequestUrl: httpUrl.nullable(),
  branding: brandingSchema,
  /** null: every tool that shares a family with the destination. */
  allowedSourceTools: z.array(text(100)).nullable(),
  /** An import without a live run is archived after this many idle days. */
  archiveAfterDays: z.int().min(1).max(3650),
  /** How many days after the full migration deltas and retries are included. */
  includedDays: z.int().min(0).max(3650),
  /** Who gets a mail when the partner's webhook endpoint is disabled. */
  contactEmail: z.email("must be an email address").max(320).nullable().optional(),
  /** How many days after the full migration began its old addresses lead to the new records. Omitted: the default. */
  oldLinksDays: z.int().min(0).max(maxOldLinksDays).optional(),
});

export interface PartnerSettings {
  readonly name: string;
  readonly destinationTool: string;
  readonly defaultFamily: Family | null;
  readonly payer: Payer;
  readonly fullRequestUrl: string | null;
  readonly branding: Branding;
  readonly allowedSourceTools: readonly string[] | null;
  readonly archiveAfterDays: number;
  readonly includedDays: number;
  readonly contactEmail?: string | null | undefined;
  readonly oldLinksDays?: number | undefined;
}

/** What a partner gets unless the operator decides otherwise. */
export const newPartner: Omit<PartnerSettings, "name" | "destinationTool"> = {
  defaultFamily: null,
  payer: "partner_decides",
  fullRequestUrl: null,
  branding: {},
  allowedSourceTools: null,
  archiveAfterDays: 90,
  includedDays: 30,
};

export interface Partner extends PartnerSettings {
  readonly contactEmail: string | null;
  readonly oldLinksDays: number;
  readonly id: string;
  readonly suspendedAt: Date | null;
  readonly createdAt: Date;
}

/** A partner who calls, with one of its API tokens. */
export interface CallingPartner extends Partner {
  readonly tokenId: string;
}

export interface ApiToken {
  readonly id: string;
  readonly partnerId: string;
  readonly label: string;
  readonly lastCharacters: string;
  readonly createdAt: Date;
  readonly revokedAt: Date | null;
}

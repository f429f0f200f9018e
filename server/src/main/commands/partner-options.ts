import { payers } from "@portage/contract";
import type { Command } from "commander";
import { maxOldLinksDays } from "../../features/partners/index.ts";
import { CommandError } from "./command-error.ts";
import { sameOption } from "./operator-call.ts";
import { wholeNumber } from "./paging.ts";

/** The options below, as commander parses them. */
export interface PartnerOptions {
  readonly name?: string;
  readonly destinationTool?: string;
  /** false: --no-default-family */
  readonly defaultFamily?: string | false;
  readonly payer?: string;
  readonly fullRequestUrl?: string;
  readonly color?: string;
  /** A file; "" removes the logo. */
  readonly logo?: string;
  readonly helpUrl?: string;
  readonly helpEmail?: string;
  readonly privacyUrl?: string;
  readonly returnUrl?: string;
  /** false: --no-embed-origin */
  readonly embedOrigin?: readonly string[] | false;
  readonly allowTool?: readonly string[];
  readonly allowAllTools?: true;
  readonly archiveAfterDays?: number;
  readonly includedDays?: number;
  readonly oldLinksDays?: number;
  readonly contactEmail?: string;
}

const collect = (value: string, before?: readonly string[]) => [...(before || []), value];

export const partnerOptions = (command: Command): Command =>
  command
    .option("--default-family <family>", "Family of imports that are created without one")
    .option("--no-default-family", "No default: creation must name a family if the tools share several")
    .option("--payer <who>", `Who pays for full migrations: ${payers.join(", ")}`)
    .option("--full-request-url <url>", 'Page where customers request the full migration ("" to remove)')
    .option("--color <color>", 'Branding: main color, such as #1d4ed8 ("" to remove)')
    .option("--logo <file>", 'Branding: logo, a PNG, JPEG, WebP or SVG of at most 256 KiB ("" to remove)')
    .option("--help-url <url>", 'Branding: help page ("" to remove)')
    .option("--help-email <address>", 'Branding: help email address ("" to remove)')
    .option("--privacy-url <url>", 'Branding: privacy statement ("" to remove)')
    .option("--return-url <url>", 'Branding: page that customers return to ("" to remove)')
    .option("--embed-origin <origin>", "Branding: origin that may embed the wizard (repeatable)", collect)
    .option("--no-embed-origin", "Branding: no origin may embed the wizard")
    .option("--allow-tool <tool>", "Source tool that its customers may use (repeatable)", collect)
    .option("--allow-all-tools", "Allow every source tool that fits the destination")
    .option("--archive-after-days <days>", "Archive imports after this many idle days", wholeNumber(1, 3650))
    .option(
      "--included-days <days>",
      "Include later changes and retries for this many days after a full migration",
      wholeNumber(0, 3650),
    )
    .option(
      "--old-links-days <days>",
      "Old addresses lead to the new records for this many days after a full migration began",
      wholeNumber(0, maxOldLinksDays),
    )
    .option(
      "--contact-email <address>",
      'Who gets a mail when its webhook endpoint is disabled ("" to remove)',
    );

/** An omitted option keeps the setting; an empty one removes it. */
const orNull = (option: string | undefined) => (option === "" ? null : option);

/** The part of the branding that the options change; what is null is removed. */
const brandingOf = (options: PartnerOptions) => ({
  color: orNull(options.color),
  help_url: orNull(options.helpUrl),
  help_email: orNull(options.helpEmail),
  privacy_url: orNull(options.privacyUrl),
  return_url: orNull(options.returnUrl),
  embed_origins: options.embedOrigin === false ? null : options.embedOrigin,
});

const given = (object: object) =>
  Object.fromEntries(
    Object.entries(object).filter(([, value]: [string, unknown]) => value !== undefined),
  ) as Readonly<Record<string, unknown>>;

/** What the operator API is sent: only what the options change. */
export const settingsFrom = (options: PartnerOptions): object => {
  if (options.allowTool && options.allowAllTools)
    throw new CommandError("invalid_settings", "--allow-tool and --allow-all-tools exclude each other", {
      exitCode: 2,
    });
  const branding = given(brandingOf(options));
  return given({
    name: options.name,
    destination_tool: options.destinationTool,
    default_family: options.defaultFamily === false ? null : options.defaultFamily,
    payer: options.payer,
    full_request_url: orNull(options.fullRequestUrl),
    branding: Object.keys(branding).length > 0 ? branding : undefined,
    allowed_source_tools: options.allowAllTools ? null : options.allowTool,
    archive_after_days: options.archiveAfterDays,
    included_days: options.includedDays,
    old_links_days: options.oldLinksDays,
    contact_email: orNull(options.contactEmail),
  });
};

export const partnerOptionOf = (field: string): string => {
  const name = field.replace(/^branding\./, "").replace(/\.\d+$/, "");
  if (name === "allowed_source_tools") return "--allow-tool";
  if (name === "embed_origins") return "--embed-origin";
  return sameOption(name);
};

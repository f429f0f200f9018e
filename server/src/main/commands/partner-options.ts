import { payers } from "@portage/contract";
import type { Command } from "commander";
import {
  maxOldLinksDays,
  newPartner,
  type Partner,
  type PartnerSettings,
  type SettingsProblem,
  validatePartnerSettings,
} from "../../features/partners/index.ts";
import type { ToolRegistry } from "../../features/tools/index.ts";
import { CommandError } from "./command-error.ts";
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
const optional = <T>(option: string | undefined, before: T, none: T): string | T =>
  option === undefined ? before : option === "" ? none : option;

const applyOptions = (before: Partial<PartnerSettings>, options: PartnerOptions) => {
  const { branding = {} } = before;
  return {
    name: options.name ?? before.name,
    destinationTool: options.destinationTool ?? before.destinationTool,
    defaultFamily: options.defaultFamily === false ? null : (options.defaultFamily ?? before.defaultFamily),
    payer: options.payer ?? before.payer,
    fullRequestUrl: optional(options.fullRequestUrl, before.fullRequestUrl, null),
    branding: {
      color: optional(options.color, branding.color, undefined),
      helpUrl: optional(options.helpUrl, branding.helpUrl, undefined),
      helpEmail: optional(options.helpEmail, branding.helpEmail, undefined),
      privacyUrl: optional(options.privacyUrl, branding.privacyUrl, undefined),
      returnUrl: optional(options.returnUrl, branding.returnUrl, undefined),
      embedOrigins:
        options.embedOrigin === false ? undefined : (options.embedOrigin ?? branding.embedOrigins),
    },
    allowedSourceTools: options.allowAllTools ? null : (options.allowTool ?? before.allowedSourceTools),
    archiveAfterDays: options.archiveAfterDays ?? before.archiveAfterDays,
    includedDays: options.includedDays ?? before.includedDays,
    oldLinksDays: options.oldLinksDays ?? before.oldLinksDays,
    contactEmail: optional(options.contactEmail, before.contactEmail, null),
  };
};

const optionOf = (setting: string) => {
  const name = setting.replace(/^branding\./, "").replace(/\.\d+$/, "");
  if (name === "allowedSourceTools") return "--allow-tool";
  if (name === "embedOrigins") return "--embed-origin";
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
};

const refuse = (problems: readonly SettingsProblem[]): never => {
  const lines = problems.map(({ setting, message }) => `${optionOf(setting)} ${message}`);
  throw new CommandError("invalid_settings", lines.join("\n"), { exitCode: 2 });
};

/** Applies the options and validates all settings together: a new destination must still fit the source tools. */
export const settingsFrom = (
  registry: ToolRegistry,
  options: PartnerOptions,
  before: Partner | null,
): PartnerSettings => {
  if (options.allowTool && options.allowAllTools)
    refuse([{ setting: "allowedSourceTools", message: "and --allow-all-tools exclude each other" }]);
  const validated = validatePartnerSettings(registry, applyOptions(before ?? newPartner, options));
  return validated.kind === "valid" ? validated.settings : refuse(validated.problems);
};

import { payers } from "@portage/contract";
import type { Command } from "commander";
import {
  type Partner,
  type PartnerSettings,
  type SettingsProblem,
  validatePartnerSettings,
} from "../../features/partners/index.ts";
import type { ToolRegistry } from "../../features/tools/index.ts";
import { CommandError } from "./command-error.ts";
import { wholeNumber } from "./paging.ts";

/** What commander makes of the options below. */
export interface PartnerOptions {
  readonly name?: string;
  readonly destinationTool?: string;
  /** false: --no-default-family */
  readonly defaultFamily?: string | false;
  readonly payer?: string;
  readonly fullRequestUrl?: string;
  readonly color?: string;
  /** A file; "": none. */
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
}

const collect = (value: string, before?: readonly string[]) => [...(before || []), value];

export const partnerOptions = (command: Command): Command =>
  command
    .option("--default-family <family>", "the family of an import whose creation leaves it open")
    .option("--no-default-family", "none: creation must say it where tools share several")
    .option("--payer <who>", `who pays for full migrations: ${payers.join(", ")}`)
    .option("--full-request-url <url>", 'the partner\'s page for who asks for the full migration ("": none)')
    .option("--color <color>", 'branding: main color, such as #1d4ed8 ("": none)')
    .option("--logo <file>", 'branding: logo, a PNG, JPEG, WebP or SVG of at most 256 KiB ("": none)')
    .option("--help-url <url>", 'branding: where customers find help ("": none)')
    .option("--help-email <address>", 'branding: whom customers write to for help ("": none)')
    .option("--privacy-url <url>", 'branding: privacy statement ("": none)')
    .option("--return-url <url>", 'branding: where customers go back to ("": none)')
    .option(
      "--embed-origin <origin>",
      "branding: a site that may show the wizard within its pages; repeat for several",
      collect,
    )
    .option("--no-embed-origin", "branding: no site may")
    .option("--allow-tool <tool>", "a source tool that its customers may use; repeat for several", collect)
    .option("--allow-all-tools", "every source tool that fits the destination")
    .option("--archive-after-days <days>", "archive an import after so many idle days", wholeNumber(1, 3650))
    .option(
      "--included-days <days>",
      "include later changes and retries for so many days after a full migration",
      wholeNumber(0, 3650),
    );

const newPartner: Omit<PartnerSettings, "name" | "destinationTool"> = {
  defaultFamily: null,
  payer: "partner_decides",
  fullRequestUrl: null,
  branding: {},
  allowedSourceTools: null,
  archiveAfterDays: 90,
  includedDays: 30,
};

/** An option left out changes nothing; an empty one takes the setting away. */
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

/** The settings after these options, checked as a whole: a new destination must still fit the old tools. */
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

import { sourceToolsFor, type ToolRegistry } from "../tools/index.ts";
import { type PartnerSettings, partnerSettingsSchema } from "./partner.ts";

export interface SettingsProblem {
  /** Which setting, as a path: `name`, `branding.logoUrl`. */
  readonly setting: string;
  /** A predicate: "can't be blank". */
  readonly message: string;
}

export type ValidatedSettings =
  | { readonly kind: "valid"; readonly settings: PartnerSettings }
  | { readonly kind: "invalid"; readonly problems: readonly SettingsProblem[] };

const unknownTool = (tool: string, known: readonly string[]) =>
  `must be one of ${known.join(", ")}: there is no "${tool}" among them`;

const toolProblems = (registry: ToolRegistry, settings: PartnerSettings): readonly SettingsProblem[] => {
  const destinations = registry.all("destination").map(({ manifest }) => manifest);
  const destination = destinations.find(({ name }) => name === settings.destinationTool);
  if (!destination) {
    const names = destinations.map(({ name }) => name);
    return [{ setting: "destinationTool", message: unknownTool(settings.destinationTool, names) }];
  }
  const problems: SettingsProblem[] = [];
  const { defaultFamily } = settings;
  if (defaultFamily !== null && !destination.families.includes(defaultFamily))
    problems.push({
      setting: "defaultFamily",
      message: `must be a family of ${destination.name}: ${destination.families.join(", ")}`,
    });
  const sources = sourceToolsFor(registry, { ...settings, allowedSourceTools: null }).map(({ name }) => name);
  for (const tool of settings.allowedSourceTools ?? [])
    if (!sources.includes(tool))
      problems.push({ setting: "allowedSourceTools", message: unknownTool(tool, sources) });
  return problems;
};

/** Checks that settings are well formed and fit the installed tools. */
export const validatePartnerSettings = (registry: ToolRegistry, settings: unknown): ValidatedSettings => {
  const parsed = partnerSettingsSchema.safeParse(settings);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => ({ setting: path.join("."), message }));
    return { kind: "invalid", problems };
  }
  // The schema's optional branding colors admit undefined; stored as JSON, that is the same as absent.
  const value = parsed.data as PartnerSettings;
  const problems = toolProblems(registry, value);
  return problems.length > 0 ? { kind: "invalid", problems } : { kind: "valid", settings: value };
};

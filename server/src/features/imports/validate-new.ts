import {
  errorsByProperty,
  type Family,
  newImport,
  newImportErrorKeys,
  type NewImportErrors,
} from "@portage/contract";
import { Secret } from "../../platform/secret.ts";
import { type Given, refusedSettings } from "../connections/index.ts";
import type { Partner } from "../partners/index.ts";
import { findSimilarTool, type SourceTool, sourceToolsFor, type ToolRegistry } from "../tools/index.ts";

/** A request for an import that passed every rule that needs no other system. */
export interface ValidImport {
  readonly sourceTool: string;
  readonly family: Family;
  readonly reference: string | null;
  readonly destinationInstanceUrl: string | null;
  readonly destinationUsername: string | null;
  readonly destinationToken: Secret | null;
  readonly startFull: boolean;
}

export type ValidatedImport =
  | { readonly kind: "valid"; readonly value: ValidImport }
  | { readonly kind: "invalid"; readonly errors: NewImportErrors };

const complete = (errors: Record<string, string[]>): NewImportErrors => ({
  ...(Object.fromEntries(newImportErrorKeys.map((key) => [key, []])) as unknown as NewImportErrors),
  ...errors,
});

export const newImportRefused = (
  errors: Record<string, string[]>,
): ValidatedImport & { kind: "invalid" } => ({
  kind: "invalid",
  errors: complete(errors),
});

const chooseFamily = (
  tool: SourceTool,
  partner: Partner,
  wanted: Family | null | undefined,
): { family: Family } | { error: string } => {
  if (wanted)
    return tool.families.includes(wanted)
      ? { family: wanted }
      : { error: "is not shared by the source and the destination" };
  const [only, ...more] = tool.families;
  if (only && more.length === 0) return { family: only };
  if (partner.defaultFamily && tool.families.includes(partner.defaultFamily))
    return { family: partner.defaultFamily };
  return { error: `must be given, one of ${tool.families.join(", ")}` };
};

/** Of the partner's own tools only: which others there are is not this partner's business. */
const notSupported = (tools: readonly SourceTool[], wanted: unknown): string[] => {
  const similar = typeof wanted === "string" ? findSimilarTool(tools, wanted) : undefined;
  return ["is not supported", ...(similar ? [`is probably meant to be "${similar.name}"`] : [])];
};

/** Every rule of `POST /imports` except the call to the destination; the sandbox runs it too. */
export const validateNewImport = (
  registry: ToolRegistry,
  partner: Partner,
  body: object,
): ValidatedImport => {
  const parsed = newImport.safeParse(body);
  const errors = parsed.success ? {} : errorsByProperty(parsed.error);
  const wantedTool = (body as { source_tool?: unknown }).source_tool;
  const tools = sourceToolsFor(registry, partner);
  const tool = tools.find(({ name }) => name === wantedTool);
  if (!tool && !errors.source_tool) errors.source_tool = notSupported(tools, wantedTool);
  if (!parsed.success || !tool) return newImportRefused(errors);
  const wanted = parsed.data;
  const choice = chooseFamily(tool, partner, wanted.family);
  const given: Given = {
    instanceUrl: wanted.destination_instance_url ?? null,
    username: wanted.destination_username ?? null,
    token: wanted.destination_token == null ? null : new Secret(wanted.destination_token),
  };
  const destination = registry.find(partner.destinationTool);
  const refused = destination ? refusedSettings(destination.manifest, given) : [];
  if ("error" in choice || refused.length > 0)
    return newImportRefused({
      ...("error" in choice && { family: [choice.error] }),
      destination: [...refused],
    });
  return {
    kind: "valid",
    value: {
      sourceTool: tool.name,
      family: choice.family,
      reference: wanted.reference ?? null,
      destinationInstanceUrl: given.instanceUrl,
      destinationUsername: given.username,
      destinationToken: given.token,
      startFull: wanted.start_full ?? false,
    },
  };
};

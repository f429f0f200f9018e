import { subscribableTypes } from "@portage/contract";
import type { WebhookTarget } from "../../features/webhooks/index.ts";
import { checkTarget, OutboundError } from "../../platform/outbound/index.ts";
import { CommandError } from "./command-error.ts";

/** The options of `webhook set`, as commander parses them. */
export interface WebhookOptions {
  readonly url?: string;
  readonly event?: readonly string[];
  readonly allEvents?: true;
  /** false: --no-ordered */
  readonly ordered?: boolean;
  /** false: --no-progress */
  readonly progress?: boolean;
  readonly secretStdin?: true;
}

const refuse = (code: string, message: string, fix: string | null = null): never => {
  throw new CommandError(code, message, { fix, exitCode: 2 });
};

const typesFrom = ({ event, allEvents }: WebhookOptions, before: WebhookTarget | undefined) => {
  if (event && allEvents) refuse("invalid_settings", "--event and --all-events exclude each other");
  const unknown = event?.filter((type) => !subscribableTypes.some((known) => known === type)) ?? [];
  if (unknown.length > 0)
    refuse(
      "invalid_settings",
      `--event must be one of ${subscribableTypes.join(", ")}: not ${unknown.join(", ")}`,
    );
  return allEvents ? null : (event ?? before?.eventTypes ?? null);
};

const checkedUrl = async (text: string, allow: readonly string[]): Promise<string> => {
  try {
    return (await checkTarget(text, { allow })).href;
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    const fix =
      error.code === "refused_address" || error.code === "insecure"
        ? "To allow it, add its exact host:port to WEBHOOK_ALLOW, for the workers too."
        : null;
    return refuse(error.code, `--url: ${error.message}`, fix);
  }
};

/** Applies the options to the settings; an omitted option keeps its setting. */
export const webhookSettings = async (
  options: WebhookOptions,
  before: WebhookTarget | undefined,
  allow: readonly string[],
) => {
  const given = options.url ?? before?.url;
  if (given === undefined)
    throw new CommandError("no_address", "The partner has no endpoint yet: pass --url.", { exitCode: 2 });
  return {
    url: options.url === undefined ? given : await checkedUrl(options.url, allow),
    eventTypes: typesFrom(options, before),
    ordered: options.ordered ?? before?.ordered ?? true,
    progress: options.progress,
  };
};

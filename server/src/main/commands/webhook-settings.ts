import { subscribableTypes } from "@portage/contract";
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

/** What the operator API is sent: only what the options change. */
export const webhookSettings = ({ url, event, allEvents, ordered, progress }: WebhookOptions): object => {
  if (event && allEvents)
    throw new CommandError("invalid_settings", "--event and --all-events exclude each other", {
      exitCode: 2,
    });
  const unknown = event?.filter((type) => !subscribableTypes.some((known) => known === type)) ?? [];
  if (unknown.length > 0)
    throw new CommandError(
      "invalid_settings",
      `--event must be one of ${subscribableTypes.join(", ")}: not ${unknown.join(", ")}`,
      { exitCode: 2 },
    );
  return { url, events: allEvents ? null : event, ordered, progress };
};

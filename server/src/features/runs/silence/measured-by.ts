import type { Connector, DestinationStream } from "@portage/connector-kit";
import type { Family } from "@portage/contract";

/** How this installation can see messages. */
export interface SilenceNeeds {
  /** The address whose mails the workers receive; null: the operator has set up none. */
  readonly mailbox: string | null;
  /** How long to wait for messages after the canaries are written. */
  readonly waitMs: number;
}

/** The streams of the canaries; none: nothing can be measured with this tool here, and silence is only promised. */
export const canaryStreams = (
  { silence }: Pick<Connector, "silence">,
  family: Family,
  { mailbox }: Pick<SilenceNeeds, "mailbox">,
): readonly DestinationStream[] =>
  silence && (silence.sent || mailbox !== null) ? (silence.canaries[family] ?? []) : [];

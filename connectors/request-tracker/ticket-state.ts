import { type FieldChange, isConnectorError, recover } from "@portage/connector-kit";
import { z } from "zod";
import { askBySql, numericIds, tell } from "./ask.ts";
import { fromRtTime, toRtTime } from "./moments.ts";
import { personRow } from "./people.ts";
import type { RtIo } from "./settings.ts";
import { staysOnReply } from "./statuses.ts";

const stateRow = z.object({
  id: z.coerce.string(),
  Status: z.string(),
  Started: z.string().nullish(),
  Resolved: z.string().nullish(),
  Owner: personRow.nullish(),
});

/** The ticket fields that a message can change, and the owner whom it would notify. */
export type TicketState = z.infer<typeof stateRow>;

export const askStates = async (
  io: RtIo,
  ids: readonly string[],
): Promise<ReadonlyMap<string, TicketState>> => {
  const nested = { Owner: ["id", "Name", "EmailAddress"] };
  const question = { path: "tickets", row: stateRow, fields: Object.keys(stateRow.shape), nested };
  return new Map((await askBySql(io, question, "id", numericIds(ids))).map((row) => [row.id, row]));
};

export const ownerAddresses = ({ Owner }: TicketState): readonly string[] =>
  Owner?.EmailAddress ? [Owner.EmailAddress] : [];

/** Sent with a reply to keep the status, which the reply would change. */
export const statusAgain = ({ Status }: TicketState): Readonly<Record<string, string>> =>
  staysOnReply(Status) ? {} : { Status };

const notSet = "1970-01-01 00:00:00";

/**
 * After replies: opening and closing the ticket again has set these times to now. Returns whether RT let them be restored;
 * the replies are written, whatever happens here.
 */
export const restoreTimes = async (io: RtIo, state: TicketState): Promise<boolean> => {
  if (staysOnReply(state.Status)) return true;
  const again = (text: string | null | undefined) => {
    const moment = fromRtTime(text);
    return moment ? toRtTime(moment) : notSet;
  };
  const times = { Started: again(state.Started), Resolved: again(state.Resolved) };
  return recover(
    tell(io, "PUT", `ticket/${state.id}`, times).then(() => true),
    isConnectorError,
    () => false,
  );
};

/** For the report: `field` names the ticket, and keeps its value. */
export const timesNotRestored = (field: string, becomes: string): FieldChange => ({
  field,
  becomes,
  change: "converted",
  why: "Request Tracker did not let the import restore the ticket's times: it was started or resolved when the copy came.",
});

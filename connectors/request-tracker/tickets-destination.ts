import {
  type ConnectorError,
  type DestinationStream,
  type FieldChange,
  helpdesk,
  isConnectorError,
  type Outcome,
  outcomeUnknown,
  removeRecord,
  type Write,
  writeRecord,
} from "@portage/connector-kit";
import { z } from "zod";
import { anyOf, askOne, askWholeList, inChunks, isRefusal, numericIds, tell, tryToTell } from "./ask.ts";
import { customFieldsOf, ticketFields, valueRows } from "./custom-fields.ts";
import { ticketFieldSetup } from "./field-setup.ts";
import { otherKey } from "./other-key.ts";
import type { RtIo, RtSettings } from "./settings.ts";
import { firstWord, isInactive, statusWord, statusWords, type Ticket } from "./statuses.ts";
import { ownerRefused, ticketChanges } from "./ticket-changes.ts";
import { externalField, newTicket, resolvedAt } from "./ticket-fields.ts";
import { changeTicket } from "./ticket-update.ts";
import { readTickets } from "./tickets-source.ts";

const missing: Outcome<Ticket> = { kind: "unknown", why: "Request Tracker gave no result for this ticket." };

const made = z.array(z.union([z.object({ id: z.coerce.string() }), z.object({ message: z.string() })]));

const notSet = (field: string): FieldChange => ({
  field,
  change: "converted",
  why: "Request Tracker did not let the import set the ticket's status.",
});

/**
 * Sets a status that RT does not accept at creation; RT sends no mail about these by default. The ticket is written: what RT
 * refuses here is a change.
 */
const finishStatus = async (io: RtIo, id: string, record: Ticket): Promise<readonly FieldChange[]> => {
  const word = statusWord(record);
  if (firstWord(word) === word) return [];
  if (!(await tryToTell(io, `ticket/${id}`, { Status: word })))
    return ["status", "statusKind", "solvedAt"].map(notSet);
  const resolved = resolvedAt(record);
  if (!isInactive(word) || !resolved) return [];
  return (await tryToTell(io, `ticket/${id}`, { Resolved: resolved })) ? [] : [notSet("solvedAt")];
};

const rejected = ({ code, message }: ConnectorError): Outcome<Ticket> => ({
  kind: "rejected",
  code,
  message,
});

interface NewTicket {
  readonly write: Write<Ticket>;
  readonly body: unknown;
}

const finish = async (
  io: RtIo,
  { record }: Write<Ticket>,
  row: z.infer<typeof made>[number] | undefined,
): Promise<Outcome<Ticket>> => {
  if (!row) return missing;
  if (!("id" in row)) return { kind: "rejected", code: "rejected", message: row.message.slice(0, 500) };
  return { kind: "written", id: row.id, changes: await finishStatus(io, row.id, record) };
};

/**
 * Creates all in one call that answers for each: only this call lets RT suppress mails to given addresses. If RT refuses the
 * call, it has created none, and each is sent alone: one that RT does not take must not hold up the others.
 */
const create = async (io: RtIo, tickets: readonly NewTicket[]): Promise<readonly Outcome<Ticket>[]> => {
  if (tickets.length === 0) return [];
  const bodies = tickets.map(({ body }) => body);
  const rows = await tell(io, "POST", "tickets/bulk", bodies, made).catch((error: unknown) => {
    if (isRefusal(error) || (isConnectorError(error) && error.code === outcomeUnknown)) return error;
    throw error;
  });
  if (!isConnectorError(rows))
    return Promise.all(tickets.map(({ write }, index) => finish(io, write, rows[index])));
  const { message: why } = rows;
  if (!isRefusal(rows)) return tickets.map(() => ({ kind: "unknown", why }));
  if (tickets.length === 1) return [rejected(rows)];
  return (await Promise.all(tickets.map((ticket) => create(io, [ticket])))).flat();
};

/** Creates tickets of which some may not even become a request. */
const createAll = async (
  io: RtIo,
  writes: readonly Write<Ticket>[],
): Promise<ReadonlyMap<Write<Ticket>, Outcome<Ticket>>> => {
  const outcomes = new Map<Write<Ticket>, Outcome<Ticket>>();
  const prepared = await Promise.all(
    writes.map(async (write) => {
      try {
        return { write, body: await newTicket(io, write) };
      } catch (error) {
        if (!isRefusal(error)) throw error;
        outcomes.set(write, rejected(error));
        return null;
      }
    }),
  );
  const tickets = prepared.filter((ticket) => ticket !== null);
  const created = await create(io, tickets);
  for (const [index, { write }] of tickets.entries()) outcomes.set(write, created[index] ?? missing);
  return outcomes;
};

const withChanges = async (
  io: RtIo,
  writes: readonly Write<Ticket>[],
  outcomes: readonly Outcome<Ticket>[],
): Promise<readonly Outcome<Ticket>[]> => {
  const ids = outcomes.flatMap((outcome) => (outcome.kind === "written" ? [outcome.id] : []));
  const read = await readTickets(io, ids).catch((error: unknown) => {
    if (isRefusal(error)) return [];
    throw error;
  });
  const found = new Map(read.map((record) => [record.id, record]));
  return Promise.all(
    outcomes.map(async (outcome, index): Promise<Outcome<Ticket>> => {
      const record = writes[index]?.record;
      if (outcome.kind !== "written" || !record) return outcome;
      const got = found.get(outcome.id);
      if (!got) return { kind: "unknown", why: "Request Tracker took the ticket but does not show it." };
      const told: readonly FieldChange[] = [
        ...(outcome.changes ?? []),
        ...(await ownerRefused(io, record, got)),
      ];
      const others = (await ticketChanges(io, record)).filter(
        ({ field }) => !told.some((one) => one.field === field),
      );
      return { ...outcome, record: got, changes: [...told, ...others] };
    }),
  );
};

/** TicketSQL is a part of the URL, which has at most 8 KB. */
const keysPerUrl = 40;

const keyRow = z.object({ id: z.coerce.string(), Status: z.string(), CustomFields: valueRows });

const keysOf = (io: RtIo, rows: z.infer<typeof valueRows>) =>
  rows.filter(({ name }) => name === io.settings.externalIdField).flatMap(({ values }) => values);

export const ticketsDestination: DestinationStream<Ticket, RtSettings> = {
  stream: helpdesk.tickets,
  batchSize: 20,
  idempotency: "lookup",
  guarantees: ["silent", "backdates", "keeps-author"],
  drops: [
    {
      field: "updatedAt",
      change: "cleared",
      why: "Request Tracker sets it itself; the text names the original time.",
    },
    { field: "tags", change: "cleared", why: "Request Tracker has no tags; the text names them." },
    { field: "type", change: "cleared", why: "Request Tracker's tickets have no types; the text names it." },
    {
      field: "channel",
      change: "cleared",
      why: "Request Tracker does not store a ticket's channel; the text names it.",
    },
    { field: "organizationId", change: "cleared", why: "Request Tracker has no organizations." },
    { field: "visibility", change: "cleared", why: "An internal ticket becomes one without a requestor." },
  ],
  async find(io, asked) {
    const wanted = new Set(asked.map(({ key }) => key));
    const lists = inChunks([...wanted], keysPerUrl).map((keys) =>
      askWholeList(io, {
        path: "tickets",
        row: keyRow,
        fields: ["Status", "CustomFields"],
        sql: anyOf(`'CF.{${io.settings.externalIdField}}'`, keys),
      }),
    );
    const found = new Map<string, string[]>();
    for (const { id, CustomFields } of (await Promise.all(lists)).flat())
      for (const key of keysOf(io, CustomFields))
        if (typeof key === "string" && wanted.has(key)) found.set(key, [...(found.get(key) ?? []), id]);
    return found;
  },
  async write(io, batch) {
    await externalField(io);
    const fresh = batch.filter(({ id }) => id === null);
    // RT uses one processor per call, so several short calls run in parallel.
    const chunks = await Promise.all(inChunks(fresh, 5).map((chunk) => createAll(io, chunk)));
    const created = new Map(chunks.flatMap((chunk) => [...chunk]));
    for (const write of batch)
      if (write.id !== null)
        created.set(write, await writeRecord(io, write, (watched) => changeTicket(watched, write)));
    const outcomes = batch.map((write) => created.get(write) ?? missing);
    return withChanges(io, batch, outcomes);
  },
  async read(io, ids) {
    const found = new Map((await readTickets(io, ids)).map((record) => [record.id, record]));
    return ids.map((id) => found.get(id) ?? null);
  },
  /** RT keeps a deleted ticket and shows it only to users who know its number. */
  remove: (io, what) =>
    Promise.all(
      what.map(({ id, key }) =>
        removeRecord(async () => {
          const [number] = numericIds([id]);
          const row = number ? await askOne(io, `ticket/${number}`, keyRow) : null;
          if (!row || row.Status === "deleted") return { kind: "removed" };
          if (row.id !== id || !keysOf(io, row.CustomFields).includes(key)) return otherKey;
          await tell(io, "DELETE", `ticket/${id}`, undefined, z.unknown());
          return { kind: "removed" };
        }),
      ),
    ),
  customFields: customFieldsOf(ticketFields),
  fieldSetup: ticketFieldSetup,
  options: async () => ({ status: statusWords }),
  urlOf: ({ instanceUrl }, { id }) => `${instanceUrl.replace(/\/$/, "")}/Ticket/Display.html?id=${id}`,
};

import {
  type DestinationStream,
  type FieldChange,
  helpdesk,
  isConnectorError,
  type Outcome,
  removeRecord,
  type Write,
  writeRecord,
} from "@portage/connector-kit";
import { z } from "zod";
import { anyOf, askOne, askWholeList, inChunks, numericIds, tell } from "./ask.ts";
import { customFieldsOf, ticketFields, valueRows } from "./custom-fields.ts";
import { otherKey } from "./other-key.ts";
import type { RtIo, RtSettings } from "./settings.ts";
import { firstWord, isInactive, statusWord, statusWords, type Ticket } from "./statuses.ts";
import { ticketChanges } from "./ticket-changes.ts";
import { externalField, newTicket, resolvedAt } from "./ticket-fields.ts";
import { changeTicket } from "./ticket-update.ts";
import { readTickets } from "./tickets-source.ts";

const missing: Outcome<Ticket> = { kind: "unknown", why: "Request Tracker gave no result for this ticket." };

const made = z.array(z.union([z.object({ id: z.coerce.string() }), z.object({ message: z.string() })]));

/** Sets a status that RT does not accept at creation; RT sends no mail about these by default. */
const finishStatus = async (io: RtIo, id: string, record: Ticket): Promise<void> => {
  const word = statusWord(record);
  if (firstWord(word) === word) return;
  await tell(io, "PUT", `ticket/${id}`, { Status: word }, z.unknown());
  const resolved = resolvedAt(record);
  if (isInactive(word) && resolved)
    await tell(io, "PUT", `ticket/${id}`, { Resolved: resolved }, z.unknown());
};

/** Creates all in one call that answers for each: only this call lets RT suppress mails to given addresses. */
const create = async (io: RtIo, writes: readonly Write<Ticket>[]): Promise<readonly Outcome<Ticket>[]> => {
  if (writes.length === 0) return [];
  const bodies = await Promise.all(writes.map((write) => newTicket(io, write)));
  const rows = await tell(io, "POST", "tickets/bulk", bodies, made);
  return Promise.all(
    writes.map(async ({ record }, index): Promise<Outcome<Ticket>> => {
      const row = rows[index];
      if (!row) return missing;
      if (!("id" in row)) return { kind: "rejected", code: "rejected", message: row.message.slice(0, 500) };
      try {
        await finishStatus(io, row.id, record);
      } catch (error) {
        if (!isConnectorError(error) || error.recovery !== "skip-record") throw error;
        // The ticket exists: the engine finds it by its key and then changes it.
        return { kind: "unknown", why: error.message };
      }
      return { kind: "written", id: row.id };
    }),
  );
};

const withChanges = async (
  io: RtIo,
  writes: readonly Write<Ticket>[],
  outcomes: readonly Outcome<Ticket>[],
): Promise<readonly Outcome<Ticket>[]> => {
  const ids = outcomes.flatMap((outcome) => (outcome.kind === "written" ? [outcome.id] : []));
  const found = new Map((await readTickets(io, ids)).map((record) => [record.id, record]));
  return outcomes.map((outcome, index): Outcome<Ticket> => {
    const record = writes[index]?.record;
    if (outcome.kind !== "written" || !record) return outcome;
    const got = found.get(outcome.id);
    if (!got) return { kind: "unknown", why: "Request Tracker took the ticket but does not show it." };
    const unchangeable: readonly FieldChange[] = outcome.changes ?? [];
    return { ...outcome, record: got, changes: [...unchangeable, ...ticketChanges(record, got)] };
  });
};

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
    const rows = await askWholeList(io, {
      path: "tickets",
      row: keyRow,
      fields: ["Status", "CustomFields"],
      sql: anyOf(`'CF.{${io.settings.externalIdField}}'`, [...wanted]),
    });
    const found = new Map<string, string[]>();
    for (const { id, CustomFields } of rows)
      for (const key of keysOf(io, CustomFields))
        if (typeof key === "string" && wanted.has(key)) found.set(key, [...(found.get(key) ?? []), id]);
    return found;
  },
  async write(io, batch) {
    await externalField(io);
    const fresh = batch.filter(({ id }) => id === null);
    const created = new Map<Write<Ticket>, Outcome<Ticket>>();
    // RT uses one processor per call, so several short calls run in parallel.
    await Promise.all(
      inChunks(fresh, 5).map(async (chunk) => {
        const answer = await writeRecord<Ticket, RtSettings>(io, { id: null }, async (watched) => {
          const outcomes = await create(watched, chunk);
          chunk.forEach((write, index) => created.set(write, outcomes[index] ?? missing));
          return missing;
        });
        for (const write of chunk) if (!created.has(write)) created.set(write, answer);
      }),
    );
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
  options: async () => ({ status: statusWords }),
  urlOf: ({ instanceUrl }, { id }) => `${instanceUrl.replace(/\/$/, "")}/Ticket/Display.html?id=${id}`,
};

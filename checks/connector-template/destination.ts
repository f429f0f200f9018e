import {
  cleared,
  type DestinationStream,
  helpdesk,
  type HttpRequest,
  idsByKey,
  type Io,
  kept,
  rejected,
  removed,
} from "@portage/connector-kit";
import { z } from "zod";
import { fromTicket, type Ticket, ticketRow, toTicket } from "./records.ts";
import type { Settings } from "./manifest.ts";

/** Remove a field from this list once `fromTicket` and `toTicket` map it: the suite then checks it too. */
const notCopied = [
  "tags",
  "customFields",
  "priority",
  "priorityKind",
  "type",
  "author",
  "requester",
  "assignee",
  "groupId",
  "organizationId",
  "followers",
  "channel",
  "dueAt",
  "solvedAt",
];

const copy = z.object({ id: z.string(), key: z.string(), record: ticketRow });
const result = z.union([z.object({ id: z.string() }), z.object({ error: z.string() })]);

const copies = async ({ http }: Io<Settings>, query: NonNullable<HttpRequest["query"]>) =>
  (await http.send({ url: "written/tickets", query })).json(z.array(copy));

export const ticketDestination: DestinationStream<Ticket, Settings> = {
  stream: helpdesk.tickets,
  batchSize: 20,
  // The tool upserts by key, so a write in doubt is sent again.
  idempotency: "upsert",
  guarantees: ["silent", "backdates"],
  drops: notCopied.map((field) => cleared(field, "It is not copied yet.")),
  find: async (io, asked) => idsByKey(asked, await copies(io, { key: asked.map(({ key }) => key) })),
  async write({ http }, batch) {
    const json = batch.map(({ key, id, record }) => ({
      key,
      id,
      record: fromTicket(record),
      notify: false,
      keepDates: true,
    }));
    const answer = await http.send({ url: "written/tickets", method: "POST", json });
    const results = answer.json(z.array(result));
    return results.map((each) =>
      "id" in each ? { kind: "written", id: each.id } : rejected(each.error, "My Tool did not take it."),
    );
  },
  async read(io, ids) {
    const rows = await copies(io, { id: ids });
    return ids.map((id) => {
      const row = rows.find((each) => each.id === id);
      return row ? toTicket(row.record) : null;
    });
  },
  remove: ({ http }, what) =>
    Promise.all(
      what.map(async ({ id, key }) => {
        // The tool compares the key: 409 means that another record has the id now, 404 that the record is gone.
        const { status } = await http.send({
          url: `written/tickets/${id}`,
          method: "DELETE",
          query: { key },
          accept: [404, 409],
        });
        return status === 409 ? kept("other_key", "Another record has this id now.") : removed;
      }),
    ),
};

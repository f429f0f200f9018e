import { helpdesk, listStream, type RecordOf, withoutMarker } from "@portage/connector-kit";
import { z } from "zod";
import { urlOf } from "./addresses.ts";
import { askOne, numericIds } from "./ask.ts";
import { fromRtTime } from "./moments.ts";
import { limitPages } from "./pages.ts";
import { agentIds } from "./people.ts";
import type { RtIo, RtSettings } from "./settings.ts";
import { askUser } from "./users.ts";

export type Group = RecordOf<typeof helpdesk.groups>;

const watcherRow = z.object({ id: z.coerce.string(), type: z.string() });

export const queueRow = z.object({
  id: z.coerce.number(),
  Name: z.string(),
  Description: z.string().nullish(),
  Disabled: z.coerce.number().catch(0),
  Created: z.string().nullish(),
  LastUpdated: z.string().nullish(),
  AdminCc: z.array(watcherRow).catch([]),
  Cc: z.array(watcherRow).catch([]),
});
export type QueueRow = z.infer<typeof queueRow>;

/** Lists don't contain the watchers. */
export const queueQuestion = {
  path: "queues",
  row: queueRow,
  fields: ["Name", "Description", "Disabled", "Created", "LastUpdated"],
  disabledToo: true,
};

/** Excludes RT's internal queue for approvals. */
const isPeoples = ({ Name, Disabled }: QueueRow) => Disabled !== 2 && Name !== "___Approvals";

export const askQueue = (io: RtIo, id: string | number): Promise<QueueRow | null> =>
  askOne(io, `queue/${id}`, queueRow);

/** The members are the queue's agents, which RT calls AdminCc. */
export const toGroup = async (row: QueueRow, io: RtIo): Promise<Group> => {
  const people = row.AdminCc.filter(({ type }) => type === "user");
  const users = await Promise.all(people.map(({ id }) => askUser(io, id)));
  const agents = await agentIds(io);
  return helpdesk.groups.make({
    id: String(row.id),
    createdAt: fromRtTime(row.Created),
    updatedAt: fromRtTime(row.LastUpdated),
    name: row.Name,
    description: withoutMarker(row.Description),
    memberIds: users.flatMap((user) => (user && agents.has(user.id) ? [user.id] : [])),
  });
};

export const groupsSource = listStream<Pick<QueueRow, "id">, Group, RtSettings>({
  stream: helpdesk.groups,
  delta: true,
  pages: limitPages(queueQuestion, 50),
  key: ({ id }) => id,
  async toRecord({ id }, io) {
    const row = await askQueue(io, id);
    return row && isPeoples(row) ? toGroup(row, io) : null;
  },
  byIds: async (_io, ids) => numericIds(ids).map((id) => ({ id })),
  urlOf: urlOf("groups"),
});

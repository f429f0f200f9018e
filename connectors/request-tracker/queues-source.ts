import { helpdesk, keysetPager, type RecordOf, type SourceStream } from "@portage/connector-kit";
import { z } from "zod";
import { askList, askOne, numericIds } from "./ask.ts";
import { withoutMarker } from "./marker.ts";
import { fromRtTime, toRtTime } from "./moments.ts";
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
export const queueFields = ["Name", "Description", "Disabled", "Created", "LastUpdated"];

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
    description: withoutMarker(row.Description) || null,
    memberIds: users.flatMap((user) => (user && agents.has(user.id) ? [user.id] : [])),
  });
};

export const readGroups = async (io: RtIo, ids: readonly string[]): Promise<readonly Group[]> => {
  const rows = await Promise.all(numericIds(ids).map((id) => askQueue(io, id)));
  const found = rows.filter((row) => row !== null).filter(isPeoples);
  return Promise.all(found.map((row) => toGroup(row, io)));
};

export const queueUrl = ({ instanceUrl }: RtSettings, { id }: { readonly id: string }) =>
  `${instanceUrl.replace(/\/$/, "")}/Search/Results.html?Query=${encodeURIComponent(`Queue = ${id}`)}`;

const pager = keysetPager<QueueRow, Group | null, RtSettings>({
  size: 50,
  key: ({ id }) => id,
  toRecord: async (row, io) => {
    const whole = isPeoples(row) ? await askQueue(io, row.id) : null;
    return whole ? toGroup(whole, io) : null;
  },
  async fetch(io, { since }, { after, size }) {
    const limits = [
      { field: "id", operator: ">", value: Number(after ?? 0) },
      ...(since ? [{ field: "LastUpdated", operator: ">=", value: toRtTime(since) }] : []),
    ];
    const question = { path: "queues", row: queueRow, fields: queueFields, limits, size, disabledToo: true };
    return (await askList(io, question)).rows;
  },
});

export const groupsSource: SourceStream<Group, RtSettings> = {
  stream: helpdesk.groups,
  delta: true,
  async readPage(io, at) {
    const page = await pager(io, at);
    return { ...page, records: page.records.filter((record) => record !== null) };
  },
  readByIds: readGroups,
  urlOf: queueUrl,
};

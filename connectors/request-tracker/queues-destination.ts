import {
  cleared,
  eachById,
  helpdesk,
  inDoubt,
  isNumericId,
  kept,
  keyIn,
  markerOf,
  mayDiffer,
  notHeld,
  recordStream,
  truncateBytes,
  withMarker,
  withoutMarker,
  type Write,
} from "@portage/connector-kit";
import { z } from "zod";
import { urlOf } from "./addresses.ts";
import { anyTicket, askWholeList, numericIds, tell, tryToTell } from "./ask.ts";
import { nearestMoment, toRtTime, wholeSeconds } from "./moments.ts";
import { askQueue, type Group, queueQuestion, type QueueRow, toGroup } from "./queues-source.ts";
import type { RtIo, RtSettings } from "./settings.ts";

const maxName = 200;
const maxDescription = 255;
const removed = /^removed \(portage-removed:/;

/** RT also accepts a queue's number in place of its name, so a name can't be just a number. */
const queueName = (name: string): string => {
  const trimmed = truncateBytes(name.replace(/\s+/g, " ").trim(), maxName - 8);
  return trimmed === "" || /^\d+$/.test(trimmed) ? `Queue ${trimmed}`.trim() : trimmed;
};

const noAgents = cleared("memberIds", "Request Tracker did not let the import add the queue's agents.");

const named = async (io: RtIo, name: string) => {
  const limits = [{ field: "Name", value: name }];
  const rows = await askWholeList(io, { ...queueQuestion, limits });
  return rows.find((row) => row.Name.toLowerCase() === name.toLowerCase());
};

const idRow = z.object({ id: z.string() });

const fieldsOf = ({ key, record }: Write<Group>) => ({
  Name: queueName(record.name),
  Description: withMarker(record.description?.trim() ?? null, key, maxDescription, truncateBytes),
});

const membersOf = ({ memberIds }: Group) => ({ AdminCc: numericIds(memberIds).map(String) });

const written = async (io: RtIo, write: Write<Group>, id: string, hasAgents: boolean) => {
  const row = await askQueue(io, id);
  if (!row) return inDoubt("Request Tracker took the queue but does not show it.");
  const { Name, Description } = fieldsOf(write);
  const { createdAt } = write.record;
  return {
    row,
    fields: {
      name: Name,
      description: withoutMarker(Description),
      memberIds: membersOf(write.record).AdminCc,
      createdAt: createdAt && nearestMoment(createdAt),
    },
    changes: hasAgents ? [] : [noAgents],
  };
};

export const groupsDestination = recordStream<Group, QueueRow, RtSettings>({
  stream: helpdesk.groups,
  batchSize: 10,
  guarantees: ["silent", "backdates"],
  holds: {
    updatedAt: notHeld("Request Tracker sets it itself."),
    tags: notHeld("Request Tracker has no tags."),
    customFields: notHeld("Only an administrator can create custom fields of queues."),
    name: mayDiffer("Request Tracker does not accept this name for a queue."),
    description: mayDiffer("A queue's description has at most 255 bytes."),
    memberIds: mayDiffer("Request Tracker lists each agent of a queue once."),
    createdAt: mayDiffer(wholeSeconds),
  },
  key: {
    kind: "field",
    of: ({ Description }) => keyIn(Description),
    find(io, keys) {
      const limits = keys.map((key) => ({ field: "Description", operator: "LIKE", value: markerOf(key) }));
      return askWholeList(io, { ...queueQuestion, limits });
    },
  },
  id: ({ id }) => String(id),
  byIds: eachById(async (io: RtIo, id) => {
    const row = isNumericId(id) ? await askQueue(io, id) : null;
    return row && !removed.test(row.Description ?? "") ? row : null;
  }),
  toRecord: toGroup,
  async create(io, write) {
    const { createdAt } = write.record;
    const fields = fieldsOf(write);
    // A queue of the same name is the same team, even if no import created it.
    const same = await named(io, fields.Name);
    if (same) return { kind: "matched", id: String(same.id) };
    const created = createdAt ? { Created: toRtTime(nearestMoment(createdAt)) } : {};
    const { id } = await tell(io, "POST", "queue", { ...fields, ...created }, idRow);
    const members = membersOf(write.record);
    const hasAgents = members.AdminCc.length === 0 || (await tryToTell(io, `queue/${id}`, members));
    return written(io, write, id, hasAgents);
  },
  async change(io, write, { id }) {
    await tell(io, "PUT", `queue/${id}`, { ...fieldsOf(write), ...membersOf(write.record) });
    return written(io, write, String(id), true);
  },
  /** RT can't delete a queue; this frees its name and disables it. */
  async remove(io, { id, Description }) {
    if (await anyTicket(io, `Queue = ${id}`))
      return kept("in_use", "The queue has tickets that the import did not create.");
    const mark = `removed (portage-removed:${keyIn(Description)})`;
    await tell(io, "PUT", `queue/${id}`, { Name: `removed ${id}`, Description: mark, Disabled: 1 });
  },
  undoNote: "A queue stays if a ticket is in it that was not deleted.",
  urlOf: urlOf("groups"),
});

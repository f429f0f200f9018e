import {
  changesOnTheWay,
  type DestinationStream,
  type FieldChange,
  helpdesk,
  type Outcome,
  type Reasons,
  removeRecord,
  type Write,
  writeRecord,
} from "@portage/connector-kit";
import { z } from "zod";
import { askWholeList, numericIds, tell, tryToTell } from "./ask.ts";
import { keyIn, markerOf, shortened, withMarker, withoutMarker } from "./marker.ts";
import { canHold, firstMoment, heldMoment, toRtTime } from "./moments.ts";
import { otherKey } from "./other-key.ts";
import { askQueue, type Group, queueFields, queueRow, queueUrl, toGroup } from "./queues-source.ts";
import type { RtIo, RtSettings } from "./settings.ts";

const maxName = 200;
const maxDescription = 255;
const removed = /^removed \(portage-removed:/;

/** RT also accepts a queue's number in place of its name, so a name can't be just a number. */
const queueName = (name: string): string => {
  const trimmed = shortened(name.replace(/\s+/g, " ").trim(), maxName - 8);
  return trimmed === "" || /^\d+$/.test(trimmed) ? `Queue ${trimmed}`.trim() : trimmed;
};

const reasons: Reasons = {
  name: "Request Tracker does not accept this name for a queue.",
  description: "A queue's description has at most 255 bytes.",
  memberIds: "Request Tracker lists each agent of a queue once.",
  createdAt: "Request Tracker has no dates before 1970, and whole seconds only.",
};

const noAgents: FieldChange = {
  field: "memberIds",
  change: "cleared",
  why: "Request Tracker did not let the import add the queue's agents.",
};

const named = async (io: RtIo, name: string) => {
  const limits = [{ field: "Name", value: name }];
  const question = { path: "queues", row: queueRow, fields: queueFields, limits, disabledToo: true };
  return (await askWholeList(io, question)).find((row) => row.Name.toLowerCase() === name.toLowerCase());
};

const idRow = z.object({ id: z.string() });

const writeOne = async (io: RtIo, { key, record, id }: Write<Group>): Promise<Outcome<Group>> => {
  const Name = queueName(record.name);
  const Description = withMarker(record.description?.trim() ?? null, key, maxDescription);
  const members = { AdminCc: numericIds(record.memberIds).map(String) };
  const { createdAt } = record;
  const created = createdAt
    ? { Created: toRtTime(canHold(createdAt) ? heldMoment(createdAt) : firstMoment) }
    : {};
  let made = id;
  let hasAgents = true;
  if (made === null) {
    // A queue of the same name is the same team, even if no import created it.
    const same = await named(io, Name);
    if (same) return { kind: "matched", id: String(same.id) };
    made = (await tell(io, "POST", "queue", { Name, Description, ...created }, idRow)).id;
    if (members.AdminCc.length > 0) hasAgents = await tryToTell(io, `queue/${made}`, members);
  } else {
    if (keyIn((await askQueue(io, made))?.Description) !== key)
      return { kind: "rejected", code: "not_ours", message: "This import did not create this queue." };
    await tell(io, "PUT", `queue/${made}`, { Name, Description, ...members }, z.unknown());
  }
  const row = await askQueue(io, made);
  if (!row) return { kind: "unknown", why: "Request Tracker took the queue but does not show it." };
  const sent: Group = {
    ...record,
    name: Name,
    description: withoutMarker(Description) || null,
    memberIds: members.AdminCc,
    createdAt: createdAt && (canHold(createdAt) ? heldMoment(createdAt) : firstMoment),
  };
  const changes = changesOnTheWay(helpdesk.groups, record, sent, reasons).filter(
    ({ field }) => hasAgents || field !== "memberIds",
  );
  return {
    kind: "written",
    id: made,
    record: await toGroup(row, io),
    changes: hasAgents ? changes : [...changes, noAgents],
  };
};

export const groupsDestination: DestinationStream<Group, RtSettings> = {
  stream: helpdesk.groups,
  batchSize: 10,
  idempotency: "lookup",
  guarantees: ["silent", "backdates"],
  drops: [
    { field: "updatedAt", change: "cleared", why: "Request Tracker sets it itself." },
    { field: "tags", change: "cleared", why: "Request Tracker has no tags." },
    {
      field: "customFields",
      change: "cleared",
      why: "Only an administrator can create custom fields of queues.",
    },
  ],
  async find(io, asked) {
    const limits = asked.map(({ key }) => ({ field: "Description", operator: "LIKE", value: markerOf(key) }));
    const rows = await askWholeList(io, {
      path: "queues",
      row: queueRow,
      fields: queueFields,
      limits,
      disabledToo: true,
    });
    const found = new Map<string, string[]>();
    for (const { id, Description } of rows) {
      const key = keyIn(Description);
      if (key !== null) found.set(key, [...(found.get(key) ?? []), String(id)]);
    }
    return found;
  },
  async write(io, batch) {
    const outcomes: Outcome<Group>[] = [];
    for (const write of batch)
      outcomes.push(await writeRecord(io, write, (watched) => writeOne(watched, write)));
    return outcomes;
  },
  read: (io, ids) =>
    Promise.all(
      ids.map(async (id) => {
        const [number] = numericIds([id]);
        const row = number ? await askQueue(io, number) : null;
        return row && !removed.test(row.Description ?? "") ? toGroup(row, io) : null;
      }),
    ),
  /** RT can't delete a queue; this frees its name and disables it. */
  remove: (io, what) =>
    Promise.all(
      what.map(({ id, key }) =>
        removeRecord(async () => {
          const row = await askQueue(io, id);
          if (!row || removed.test(row.Description ?? "")) return { kind: "removed" };
          if (keyIn(row.Description) !== key) return otherKey;
          const gone = {
            Name: `removed ${id}`,
            Description: `removed (portage-removed:${key})`,
            Disabled: 1,
          };
          await tell(io, "PUT", `queue/${id}`, gone, z.unknown());
          return { kind: "removed" };
        }),
      ),
    ),
  urlOf: queueUrl,
};

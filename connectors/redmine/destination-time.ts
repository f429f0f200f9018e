import {
  hasStatus,
  keyAtEnd,
  mayDiffer,
  notHeld,
  pickByWord,
  projects,
  recordStream,
  recover,
  withMarker,
  type Write,
} from "@portage/connector-kit";
import { ensureMember, involved } from "./act-as.ts";
import { urlOf } from "./addresses.ts";
import { fieldSetup } from "./field-setup.ts";
import { accountOf, activitiesOf } from "./catalog.ts";
import { copiesOf, stillThere } from "./copies.ts";
import { customFieldsOf, sentValues, writeCustomValues } from "./custom-values.ts";
import { accountNames, ownTimes } from "./losses.ts";
import { hoursOf } from "./moments.ts";
import { findWhereShown } from "./project-lists.ts";
import { type TimeEntry, toTimeEntry } from "./project-records.ts";
import type { TimeEntryRow } from "./rows.ts";
import type { RedmineIo, Settings } from "./settings.ts";
import { timeEntryTable } from "./tables.ts";
import { askIssue } from "./walks.ts";
import { activityWords } from "./words.ts";

const maxNote = 1024;

const noteOf = ({ note, author }: TimeEntry, key: string, isBooked: boolean): string => {
  // Without an account Redmine books the time on the administrator, so the note names the author.
  const by = isBooked || !author?.name ? "" : ` [${author.name}]`;
  return withMarker(`${(note ?? "").slice(0, 900)}${by}`, key, maxNote);
};

const fieldsOf = async (io: RedmineIo, { key, record }: Write<TimeEntry>) => {
  const issue = record.taskId ? await askIssue(io, record.taskId, "") : null;
  const projectId = issue ? String(issue.project.id) : record.projectId;
  const person = await involved(io, record.author);
  const user = person !== null && (await ensureMember(io, person, projectId)) ? person : null;
  const activities = (await activitiesOf(io)).filter(({ active }) => active);
  return {
    ...(issue ? { issue_id: issue.id } : { project_id: projectId }),
    ...(user ? { user_id: user.id } : {}),
    hours: hoursOf(record.minutes),
    spent_on: record.spentOn,
    activity_id: pickByWord(activities, record.activity, ({ is_default }) => is_default)?.id,
    comments: noteOf(record, key, user !== null),
    custom_fields: await writeCustomValues(io, "time_entry", record.customFields),
  };
};

type Fields = Awaited<ReturnType<typeof fieldsOf>>;

const hundredths = (hours: number) => Math.round(hours * 100) / 100;

/** `user`: whom Redmine books the time on if the fields name none. */
const made = async (io: RedmineIo, row: TimeEntryRow, fields: Fields, user: TimeEntryRow["user"]) => {
  const { issue: _, ...others } = row;
  const activity = (await activitiesOf(io)).find(({ id }) => id === fields.activity_id);
  const booked = fields.user_id === undefined ? user : { id: fields.user_id, name: "" };
  return {
    row,
    sent: {
      ...others,
      ...("issue_id" in fields ? { issue: { id: fields.issue_id } } : {}),
      ...(booked ? { user: booked } : {}),
      ...(activity ? { activity } : {}),
      hours: hundredths(fields.hours),
      spent_on: fields.spent_on,
      comments: fields.comments,
      custom_fields: sentValues(fields.custom_fields),
    },
  };
};

const copies = recordStream<TimeEntry, TimeEntryRow, Settings>({
  stream: projects.timeEntries,
  guarantees: ["silent", "keeps-author"],
  holds: {
    ...ownTimes(),
    ...accountNames("author"),
    tags: notHeld("Redmine's time entries have no tags."),
    projectId: mayDiffer("Redmine books time on the project of the task."),
    taskId: mayDiffer("The task is gone."),
    minutes: mayDiffer("Redmine stores hours with two decimals."),
    activity: mayDiffer("Redmine has no activity of that name."),
    note: mayDiffer("Redmine allows 1,024 characters; the note also names a person without an account."),
    author: mayDiffer("The person has no account that can log time there; the note names them."),
    customFields: mayDiffer("Redmine's time entries have no such field."),
  },
  key: {
    kind: "field",
    of: ({ comments }) => keyAtEnd(comments),
    atMost: 1,
    find: async (io, [key]) => (await timeEntryTable.list(io, { comments: `~${key}`, limit: 100 })).rows,
  },
  ...copiesOf(timeEntryTable),
  toRecord: (row, io) => toTimeEntry(io, row, "copy"),
  async create(io, write) {
    const fields = await fieldsOf(io, write);
    const post = async (sent: Fields) => ({ row: await timeEntryTable.create(io, sent), sent });
    const { user_id: person, ...others } = fields;
    const isRefused = (error: unknown) => person !== undefined && hasStatus(422)(error);
    const { row, sent } = await recover(post(fields), isRefused, () =>
      // The note names a person who can't log time there.
      post({ ...others, comments: noteOf(write.record, write.key, false) }),
    );
    const { id } = await accountOf(io);
    return made(io, row, sent, { id, name: "" });
  },
  async change(io, write, before) {
    const fields = await fieldsOf(io, write);
    await timeEntryTable.change(io, before.id, fields);
    return made(io, await stillThere(timeEntryTable.one(io, before.id)), fields, before.user);
  },
  sequence: ({ id }) => id,
  remove: async (io, { id }) => void (await timeEntryTable.remove(io, id)),
  customFields: (io) => customFieldsOf(io, "time_entry"),
  options: activityWords,
  fieldSetup,
  urlOf: urlOf(projects.timeEntries),
});

export const timeEntryCopies = { ...copies, find: findWhereShown("time_tracking", copies.find) };

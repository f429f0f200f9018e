import { ConnectorError, type DestinationStream, projects } from "@portage/connector-kit";
import { z } from "zod";
import { ensureMember, involved } from "./act-as.ts";
import { askList, askOne, send } from "./ask.ts";
import { catalogOf } from "./catalog.ts";
import { customFieldsOf, sentValues, writeCustomValues } from "./custom-values.ts";
import { fieldSetup } from "./field-setup.ts";
import { pickByWord } from "./kinds.ts";
import { accountNames, cleared, ownTimes } from "./losses.ts";
import { hoursOf } from "./moments.ts";
import { findWhereShown } from "./project-lists.ts";
import { type TimeEntry, toTimeEntry } from "./project-records.ts";
import { keyIn, withMarker } from "./provenance.ts";
import { type TimeEntryRow, timeEntryRow } from "./rows.ts";
import type { RedmineIo, Settings } from "./settings.ts";
import { askIssue } from "./walks.ts";
import { gone, idsByKey, otherKey, removeEach, writeEach, type Writer } from "./write-each.ts";
import { activityWords } from "./words.ts";

const maxNote = 1024;

const ask = (io: RedmineIo, id: string) =>
  /^\d{1,9}$/.test(id)
    ? askOne(io, `time_entries/${id}.json`, "time_entry", timeEntryRow)
    : Promise.resolve(null);

const fieldsOf = async (io: RedmineIo, key: string, record: TimeEntry) => {
  const issue = record.taskId ? await askIssue(io, record.taskId, "") : null;
  const projectId = issue ? String(issue.project.id) : record.projectId;
  const person = await involved(io, record.author);
  const user = person !== null && (await ensureMember(io, person, projectId)) ? person : null;
  // Without an account Redmine books the time on the administrator, so the note names the author.
  const by = user || !record.author?.name ? "" : ` [${record.author.name}]`;
  const activities = (await catalogOf(io).activities()).filter(({ active }) => active);
  return {
    ...(issue ? { issue_id: issue.id } : { project_id: projectId }),
    ...(user ? { user_id: user.id } : {}),
    hours: hoursOf(record.minutes),
    spent_on: record.spentOn,
    activity_id: pickByWord(activities, record.activity, ({ is_default }) => is_default)?.id,
    comments: withMarker(`${(record.note ?? "").slice(0, 900)}${by}`, key, maxNote),
    custom_fields: await writeCustomValues(io, "time_entry", record.customFields),
  };
};

type Fields = Awaited<ReturnType<typeof fieldsOf>>;

const hundredths = (hours: number) => Math.round(hours * 100) / 100;

const made = async (io: RedmineIo, row: TimeEntryRow, fields: Fields, user: TimeEntryRow["user"]) => {
  const { issue: _, ...others } = row;
  const issue = "issue_id" in fields ? { issue: { id: fields.issue_id } } : {};
  const activity = (await catalogOf(io).activities()).find(({ id }) => id === fields.activity_id);
  const sent = {
    ...others,
    ...issue,
    ...(user ? { user } : {}),
    ...(activity ? { activity } : {}),
    hours: hundredths(fields.hours),
    spent_on: fields.spent_on,
    comments: fields.comments,
    custom_fields: sentValues(fields.custom_fields),
  };
  return {
    id: String(row.id),
    record: await toTimeEntry(io, row, "copy"),
    sent: await toTimeEntry(io, sent, "copy"),
  };
};

const userOf = async (io: RedmineIo, { user_id }: { readonly user_id?: number | undefined }) => ({
  id: user_id ?? (await catalogOf(io).account()).id,
  name: "",
});

const writer: Writer<TimeEntry> = {
  stream: projects.timeEntries,
  reasons: {
    projectId: "Redmine books time on the project of the task.",
    taskId: "The task is gone.",
    minutes: "Redmine stores hours with two decimals.",
    activity: "Redmine has no activity of that name.",
    note: "Redmine allows 1,024 characters; the note also names a person without an account.",
    author: "The person has no account that can log time there; the note names them.",
    customFields: "Redmine's time entries have no such field.",
  },
  async find(io, asked) {
    await catalogOf(io).account();
    const found: { key: string | null; id: string }[] = [];
    for (const { key } of asked) {
      const query = { comments: `~${key}`, limit: 100 };
      const { rows } = await askList(io, "time_entries.json", "time_entries", timeEntryRow, query);
      found.push(...rows.map((row) => ({ key: keyIn(row.comments), id: String(row.id) })));
    }
    return idsByKey(asked, [...new Map(found.map((one) => [one.id, one])).values()]);
  },
  async create(io, { key, record }) {
    const fields = await fieldsOf(io, key, record);
    const post = async (time_entry: Fields) => ({
      answer: await send(io, { url: "time_entries.json", method: "POST", json: { time_entry } }),
      sent: time_entry,
    });
    const { answer, sent } = await post(fields).catch((error: unknown) => {
      // The note names a person who can't log time there.
      if (!(error instanceof ConnectorError) || error.status !== 422 || !("user_id" in fields)) throw error;
      const { user_id: _, ...others } = fields;
      const note = `${(record.note ?? "").slice(0, 900)} [${record.author?.name ?? ""}]`;
      return post({ ...others, comments: withMarker(note, key, maxNote) });
    });
    const row = answer.json(z.object({ time_entry: timeEntryRow })).time_entry;
    return made(io, row, sent, await userOf(io, sent));
  },
  async change(io, { key, record }, id) {
    const before = await ask(io, id);
    const time_entry = await fieldsOf(io, key, record);
    await send(io, { url: `time_entries/${id}.json`, method: "PUT", json: { time_entry } });
    const row = await ask(io, id);
    if (row)
      return made(io, row, time_entry, "user_id" in time_entry ? await userOf(io, time_entry) : before?.user);
    throw new ConnectorError({
      recovery: "skip-record",
      code: "not_found",
      message: "The time entry is gone.",
    });
  },
  lane: ({ id }) => id,
};

export const timeEntryCopies: DestinationStream<TimeEntry, Settings> = {
  stream: projects.timeEntries,
  batchSize: 20,
  idempotency: "lookup",
  guarantees: ["silent", "keeps-author"],
  drops: [
    ...ownTimes(""),
    ...accountNames(["author"]),
    cleared("tags", "Redmine's time entries have no tags."),
  ],
  find: findWhereShown("time_tracking", writer.find),
  write: (io, batch) => writeEach(io, writer, batch),
  async read(io, ids) {
    await catalogOf(io).account();
    const rows = await Promise.all(ids.map((id) => ask(io, id)));
    return Promise.all(rows.map(async (row) => (row ? toTimeEntry(io, row, "copy") : null)));
  },
  remove: (io, what) =>
    removeEach(io, what, async (id, key) => {
      const row = await ask(io, id);
      if (!row) return gone;
      if (keyIn(row.comments) !== key) return otherKey;
      await send(io, { url: `time_entries/${id}.json`, method: "DELETE", accept: [404] });
      return gone;
    }),
  customFields: (io) => customFieldsOf(io, "time_entry"),
  fieldSetup,
  options: activityWords,
  urlOf: ({ instanceUrl }, { id }) => `${instanceUrl.replace(/\/+$/, "")}/time_entries/${id}/edit`,
};

import {
  keyAtEnd,
  mayDiffer,
  notHeld,
  projects,
  recordStream,
  truncate,
  withMarker,
  type Write,
} from "@portage/connector-kit";
import { urlOf } from "./addresses.ts";
import { fieldSetup } from "./field-setup.ts";
import { copiesOf, stillThere } from "./copies.ts";
import { customFieldsOf, sentValues, writeCustomValues } from "./custom-values.ts";
import { ownTimes } from "./losses.ts";
import { listOfProject } from "./project-lists.ts";
import { toVersion, type Version } from "./project-records.ts";
import type { VersionRow } from "./rows.ts";
import type { RedmineIo, Settings } from "./settings.ts";
import { filesOf } from "./source-files.ts";
import { askVersions } from "./source-projects.ts";
import { versionTable } from "./tables.ts";

const ofProject = (io: RedmineIo, projectId: string) => listOfProject(() => askVersions(io, projectId));

const maxName = 60;

/** Names are unique in a project. */
const freeName = (wanted: string, taken: readonly string[]): string => {
  for (let number = 1; ; number += 1) {
    const end = number === 1 ? "" : ` (${number})`;
    const name = `${truncate(wanted.trim(), maxName - end.length) || "(no name)"}${end}`;
    if (!taken.includes(name)) return name;
  }
};

/** The fields to send, and the row that Redmine shows of them. */
const fieldsOf = async (io: RedmineIo, { key, record }: Write<Version>, id: string | null) => {
  const others = (await ofProject(io, record.projectId)).filter((row) => String(row.id) !== id);
  const names = others.map(({ name }) => name);
  return {
    name: freeName(record.name, names),
    description: withMarker(record.description, key, 255),
    status: record.state,
    due_date: record.dueOn ?? "",
    custom_fields: await writeCustomValues(io, "version", record.customFields),
  };
};

const made = (row: VersionRow, { custom_fields, ...fields }: Awaited<ReturnType<typeof fieldsOf>>) => ({
  row,
  sent: { ...row, ...fields, custom_fields: sentValues(custom_fields) },
});

export const versionCopies = recordStream<Version, VersionRow, Settings>({
  stream: projects.versions,
  guarantees: ["silent"],
  holds: {
    ...ownTimes(),
    startsOn: notHeld("Redmine's versions have no start date."),
    tags: notHeld("Redmine's versions have no tags."),
    name: mayDiffer("Redmine allows 60 characters, and each name only once in a project."),
    description: mayDiffer("Redmine allows 255 characters."),
    customFields: mayDiffer("Redmine's versions have no such field."),
  },
  key: { kind: "marker", of: ({ description }) => keyAtEnd(description), list: ofProject },
  ...copiesOf(versionTable),
  toRecord: (row, io) => toVersion(io, row, "copy"),
  async create(io, write) {
    const fields = await fieldsOf(io, write, null);
    const url = `projects/${write.record.projectId}/versions.json`;
    return made(await versionTable.create(io, fields, { url }), fields);
  },
  async change(io, write, { id }) {
    const fields = await fieldsOf(io, write, String(id));
    await versionTable.change(io, id, fields);
    return made(await stillThere(versionTable.one(io, id)), fields);
  },
  sequence: ({ projectId }) => projectId,
  parentOf: ({ projectId }) => ({ parentId: projectId }),
  keysOn: async (io, { id }) =>
    ((await filesOf(io, "versions", String(id))) ?? []).map(({ row }) => keyAtEnd(row.description)),
  // Redmine refuses to delete a version that has tasks.
  remove: async (io, { id }) => void (await versionTable.remove(io, id)),
  undoNote: "It stays if a task is in it, or a file on it that is not from an import.",
  customFields: (io) => customFieldsOf(io, "version"),
  fieldSetup,
  urlOf: urlOf(projects.versions),
});

import { createHash } from "node:crypto";
import {
  type FamilyRecord,
  type FamilyStream,
  hasStatus,
  helpdesk,
  type Holds,
  kept,
  type Made,
  mayDiffer,
  notHeld,
  projects,
  recordStream,
  recover,
  type RichText,
  strangeFields,
  truncate,
  type Write,
} from "@portage/connector-kit";
import { ensureMember, involved } from "./act-as.ts";
import { urlOf } from "./addresses.ts";
import { fieldSetup } from "./field-setup.ts";
import { isForbidden } from "./ask.ts";
import { modulesOf, projectOf } from "./catalog.ts";
import { copiesOf } from "./copies.ts";
import { customFieldsOf, keyOf, sentValues, writeCustomValues } from "./custom-values.ts";
import type { View } from "./issue-records.ts";
import { otherText, ownTimes } from "./losses.ts";
import { keyInLine, withLine } from "./origin.ts";
import { type Group, type Project, toGroup, toProject } from "./project-records.ts";
import type { ProjectRow } from "./rows.ts";
import type { RedmineIo, Settings } from "./settings.ts";
import { filesOf } from "./source-files.ts";
import { pageHeads } from "./source-pages.ts";
import { askVersions } from "./source-projects.ts";
import { issueTable, projectTable, timeEntryTable } from "./tables.ts";
import { openOrClosed } from "./walks.ts";
import { writeText } from "./write-text.ts";

interface Draft {
  readonly name: string;
  readonly identifier: string | null;
  readonly description: RichText | null;
  readonly parentId: string | null;
  readonly isPublic: boolean;
  readonly memberIds: readonly string[];
}

interface Described<T extends FamilyRecord> {
  readonly stream: FamilyStream<T>;
  readonly holds: Holds;
  draft(record: T): Draft;
  toRecord(io: RedmineIo, row: ProjectRow, view: View): Promise<T>;
}

const short = (key: string) => createHash("sha256").update(key).digest("hex").slice(0, 8);

/** Redmine's rule for the identifier in URLs. */
const identifierOf = (wanted: string): string => {
  const plain = wanted
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 80);
  if (plain === "" || plain === "new") return "project";
  return /^\d+$/.test(plain) ? `p-${plain}` : plain;
};

/** Redmine does not show an archived project, which keeps its identifier all the same. */
const isTaken = (io: RedmineIo, identifier: string): Promise<boolean> =>
  recover(
    projectOf(io, identifier).then((project) => project !== null),
    isForbidden,
    () => true,
  );

/** All of which the import can see what is in them. */
const withContents = ["issue_tracking", "time_tracking", "wiki", "files"];
const modules = [...withContents, "gantt", "calendar"];

/**
 * Redmine does not show the contents of a module that is switched off, and those of forums, documents and the like to no call; but
 * it removes them all with the project.
 */
const hidesContents = async (io: RedmineIo, id: string): Promise<boolean> => {
  const on = await modulesOf(io, id);
  if (on === null) return false;
  return (
    !withContents.every((module) => on.has(module)) || [...on].some((module) => !modules.includes(module))
  );
};

/** Whether anything is in a project: of ours nothing is left by now, unless it stays, and then the project does. */
const isFilled = async (io: RedmineIo, id: string): Promise<boolean> => {
  const any = { project_id: id, limit: 1 };
  if ((await issueTable.list(io, { ...any, status_id: "*" })).total > 0) return true;
  if ((await timeEntryTable.list(io, any)).total > 0) return true;
  const below = await projectTable.list(io, { parent_id: id, status: openOrClosed, limit: 100 });
  if (below.rows.some(({ parent }) => String(parent?.id) === id)) return true;
  if ((await pageHeads(io, id)).length > 0 || (await askVersions(io, id)).length > 0) return true;
  return ((await filesOf(io, "projects", id)) ?? []).length > 0;
};

const projectStream = <T extends FamilyRecord>({ stream, holds, draft, toRecord }: Described<T>) => {
  const fieldsOf = async (io: RedmineIo, { key, record }: Write<T>) => {
    const { name, description, parentId, isPublic } = draft(record);
    const custom_fields = await writeCustomValues(io, "project", record.customFields);
    const customFields = strangeFields(record, custom_fields.map(keyOf));
    return {
      name: truncate(name.trim(), 255) || "(no name)",
      description: await withLine(io, await writeText(io, description), { ...record, customFields }, key),
      parent_id: parentId ?? "",
      is_public: isPublic,
      inherit_members: false,
      custom_fields,
    };
  };
  /** Those of them who are members now; Redmine refuses the others. */
  const addMembers = async (io: RedmineIo, row: ProjectRow, ids: readonly string[]) => {
    const added: string[] = [];
    for (const id of ids) {
      const user = await involved(io, { stream: "users", id });
      if (user && (await ensureMember(io, user, String(row.id)))) added.push(id);
    }
    return added;
  };
  const made = (
    row: ProjectRow,
    { parent_id, custom_fields, ...fields }: Awaited<ReturnType<typeof fieldsOf>>,
    fixed: Pick<ProjectRow, "identifier" | "status">,
    memberIds: readonly string[],
  ): Made<T, ProjectRow> => {
    const { parent: _, ...others } = row;
    const parent = parent_id === "" ? {} : { parent: { id: Number(parent_id), name: "" } };
    return {
      row,
      sent: { ...others, ...fields, ...fixed, ...parent, custom_fields: sentValues(custom_fields) },
      fields: { memberIds } as Partial<T> & { memberIds: readonly string[] },
    };
  };
  return recordStream<T, ProjectRow, Settings>({
    stream,
    batchSize: 10,
    guarantees: ["silent"],
    // Later writes make the people they name members of the project.
    volatileFields: ["memberIds"],
    holds: {
      ...ownTimes("; the last line of the description names the original ones"),
      tags: notHeld("Redmine's projects have no such field."),
      name: mayDiffer("Redmine allows 255 characters."),
      description: otherText,
      memberIds: mayDiffer(
        "These people have no account that can be a member without getting mails, or Redmine did not accept them.",
      ),
      customFields: mayDiffer(
        "Redmine's projects have no such field; the last line of the description holds the value.",
      ),
      ...holds,
    },
    key: {
      kind: "field",
      of: ({ description }, io) => keyInLine(io, description),
      atMost: 1,
      // The filter means "contains".
      find: async (io, [key]) =>
        (await projectTable.list(io, { status: openOrClosed, description: `~${key}`, limit: 100 })).rows,
    },
    ...copiesOf(projectTable),
    toRecord: (row, io) => toRecord(io, row, "copy"),
    async create(io, write) {
      const { identifier: wished, name, memberIds } = draft(write.record);
      const fields = await fieldsOf(io, write);
      const wanted = identifierOf(wished ?? name);
      const taken = await isTaken(io, wanted);
      const post = async (identifier: string) => {
        const project = { ...fields, identifier, enabled_module_names: modules };
        return { row: await projectTable.create(io, project), identifier };
      };
      const unique = `${wanted}-${short(write.key)}`;
      // Another project has it since, or Redmine does not allow it.
      const isRefused = (error: unknown) => !taken && hasStatus(422)(error);
      const { row, identifier } = await recover(post(taken ? unique : wanted), isRefused, () => post(unique));
      const members = await addMembers(io, row, memberIds);
      return made(row, fields, { identifier, status: 1 }, members);
    },
    async change(io, write, before) {
      const { identifier, status } = before;
      const fields = await fieldsOf(io, write);
      await projectTable.change(io, before.id, fields);
      const members = await addMembers(io, before, draft(write.record).memberIds);
      return made((await projectTable.one(io, before.id)) ?? before, fields, { identifier, status }, members);
    },
    async remove(io, { id: own }) {
      const id = String(own);
      if (await hidesContents(io, id))
        return kept(
          "contents_hidden",
          "The project has a part of which the import can't see whether it is empty.",
        );
      // Redmine removes a project's contents with it, so only an empty project is removed.
      if (await isFilled(io, id))
        return kept("not_empty", "The project is not empty: Redmine would remove its contents too.");
      await projectTable.remove(io, id);
    },
    undoNote:
      "It stays if it is not empty, or has a part that the import can't look into: one that is switched off, forums, documents, news or a repository.",
    // Written one after the other: Redmine keeps all projects in one tree and locks it.
    customFields: (io) => customFieldsOf(io, "project"),
    fieldSetup,
    urlOf: urlOf(stream),
  });
};

export const projectCopies = projectStream<Project>({
  stream: projects.projects,
  holds: {
    lead: notHeld("Redmine's projects have no such field."),
    key: mayDiffer(
      "Redmine allows lowercase letters, digits, dashes and underscores, and each key only once.",
    ),
    archived: mayDiffer(
      "Redmine would refuse all records of a closed project; close or archive it after the import.",
    ),
    parentProjectId: mayDiffer("Redmine did not accept this parent."),
    visibility: mayDiffer("Redmine did not accept this visibility."),
  },
  draft: ({ name, key, description, parentProjectId, visibility, memberIds }) => ({
    name,
    identifier: key,
    description,
    parentId: parentProjectId,
    isPublic: visibility === "public",
    memberIds,
  }),
  toRecord: toProject,
});

export const groupCopies = projectStream<Group>({
  stream: helpdesk.groups,
  holds: {},
  draft: ({ name, description, memberIds }) => ({
    name,
    identifier: null,
    description: description === null ? null : { format: "plain", text: description, references: [] },
    parentId: null,
    // Tickets are not public.
    isPublic: false,
    memberIds,
  }),
  toRecord: toGroup,
});

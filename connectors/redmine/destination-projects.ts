import { createHash } from "node:crypto";
import {
  ConnectorError,
  type DestinationStream,
  type FamilyRecord,
  helpdesk,
  projects,
  type Reasons,
  type RichText,
  type Write,
} from "@portage/connector-kit";
import { z } from "zod";
import { ensureMember, involved } from "./act-as.ts";
import { askList, askOne, isForbidden, send } from "./ask.ts";
import { catalogOf } from "./catalog.ts";
import { customFieldsOf, keyOf, sentValues, writeCustomValues } from "./custom-values.ts";
import { fieldSetup } from "./field-setup.ts";
import type { View } from "./issue-records.ts";
import { cleared, ownTimes } from "./losses.ts";
import type { Module } from "./project-lists.ts";
import { type Group, type Project, toGroup, toProject } from "./project-records.ts";
import { originLine, splitOrigin, withOrigin } from "./provenance.ts";
import { issueRow, type ProjectRow, projectRow } from "./rows.ts";
import type { RedmineIo, Settings } from "./settings.ts";
import { pageHeads } from "./source-pages.ts";
import { gone, idsByKey, kept, otherKey, removeEach, writeEach, type Writer } from "./write-each.ts";
import { writeLine, writeText } from "./write-text.ts";

interface Draft {
  readonly name: string;
  readonly identifier: string | null;
  readonly description: RichText | null;
  readonly parentId: string | null;
  readonly isPublic: boolean;
  readonly memberIds: readonly string[];
}

interface Described<T extends FamilyRecord> {
  readonly stream: DestinationStream<T>["stream"];
  readonly reasons: Reasons;
  readonly lost: readonly string[];
  draft(record: T): Draft;
  toRecord(io: RedmineIo, row: ProjectRow, view: View): Promise<T>;
}

const ask = (io: RedmineIo, id: string) =>
  /^\d{1,9}$/.test(id) ? askOne(io, `projects/${id}.json`, "project", projectRow) : Promise.resolve(null);

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
const isTaken = async (io: RedmineIo, identifier: string): Promise<boolean> => {
  try {
    return (await catalogOf(io).project(identifier)) !== null;
  } catch (error) {
    if (isForbidden(error)) return true;
    throw error;
  }
};

/** Redmine does not show the contents of a module that is switched off, but removes them with the project. */
const hidesContents = async (io: RedmineIo, id: string): Promise<boolean> => {
  const on = await catalogOf(io).modules(id);
  return on !== null && !(["issue_tracking", "wiki"] satisfies Module[]).every((module) => on.has(module));
};

const active = 1;

const modules = ["issue_tracking", "time_tracking", "wiki", "files", "gantt", "calendar"];

const projectStream = <T extends FamilyRecord>(described: Described<T>): DestinationStream<T, Settings> => {
  const { stream, draft, toRecord } = described;
  const made = async (
    io: RedmineIo,
    row: ProjectRow,
    {
      parent_id,
      ...fields
    }: Awaited<ReturnType<typeof fieldsOf>> & Pick<ProjectRow, "identifier" | "status">,
    memberIds: readonly string[],
  ) => {
    const { parent: _, ...others } = row;
    const sent = {
      ...others,
      ...fields,
      custom_fields: sentValues(fields.custom_fields),
      ...(parent_id === "" ? {} : { parent: { id: Number(parent_id), name: "" } }),
    };
    return {
      id: String(row.id),
      record: await toRecord(io, row, "copy"),
      sent: { ...(await toRecord(io, sent, "copy")), memberIds },
    };
  };
  const fieldsOf = async (io: RedmineIo, { key, record }: Write<T>) => {
    const { name, description, parentId, isPublic } = draft(record);
    const custom = await writeCustomValues(io, "project", record.customFields);
    const line = originLine({ record, keptFields: new Set(custom.map(keyOf)) });
    return {
      name:
        name
          .trim()
          .slice(0, 255)
          .replace(/[\ud800-\udbff]$/, "") || "(no name)",
      description: withOrigin(await writeText(io, description), await writeLine(io, line), key),
      parent_id: parentId ?? "",
      is_public: isPublic,
      inherit_members: false,
      custom_fields: custom,
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
  const writer: Writer<T> = {
    stream,
    reasons: described.reasons,
    async find(io, asked) {
      await catalogOf(io).account();
      const found: { key: string | null; id: string }[] = [];
      for (const { key } of asked) {
        // The filter means "contains"; the code below checks which descriptions end with the key.
        const query = { status: "1|5", description: `~${key}`, limit: 100 };
        const { rows } = await askList(io, "projects.json", "projects", projectRow, query);
        found.push(
          ...rows.map((row) => ({ key: splitOrigin(row.description)?.key ?? null, id: String(row.id) })),
        );
      }
      return idsByKey(asked, [...new Map(found.map((one) => [one.id, one])).values()]);
    },
    async create(io, write) {
      const { identifier, name, memberIds } = draft(write.record);
      const fields = await fieldsOf(io, write);
      const wanted = identifierOf(identifier ?? name);
      const taken = await isTaken(io, wanted);
      const post = async (asked: string) => {
        const project = { ...fields, identifier: asked, enabled_module_names: modules };
        const answer = await send(io, { url: "projects.json", method: "POST", json: { project } });
        return { answer, identifier: asked };
      };
      const unique = `${wanted}-${short(write.key)}`;
      const { answer, identifier: own } = await post(taken ? unique : wanted).catch((error: unknown) => {
        // Another project has it since, or Redmine does not allow it.
        if (taken || !(error instanceof ConnectorError) || error.status !== 422) throw error;
        return post(unique);
      });
      const { project } = answer.json(z.object({ project: projectRow }));
      const members = await addMembers(io, project, memberIds);
      return made(io, project, { ...fields, identifier: own, status: active }, members);
    },
    async change(io, write, id) {
      const row = await ask(io, id);
      if (!row)
        throw new ConnectorError({
          recovery: "skip-record",
          code: "not_found",
          message: "The project is gone.",
        });
      const fields = await fieldsOf(io, write);
      await send(io, { url: `projects/${id}.json`, method: "PUT", json: { project: fields } });
      const { identifier, status } = row;
      const members = await addMembers(io, row, draft(write.record).memberIds);
      return made(io, (await ask(io, id)) ?? row, { ...fields, identifier, status }, members);
    },
    // Sequentially: Redmine keeps all projects in one tree and locks it.
    lane: () => "",
  };
  return {
    stream,
    batchSize: 10,
    idempotency: "lookup",
    guarantees: ["silent"],
    drops: [
      ...ownTimes("; the last line of the description names the original ones"),
      ...described.lost.map((field) => cleared(field, "Redmine's projects have no such field.")),
    ],
    // Later writes make the people they name members of the project.
    volatileFields: ["memberIds"],
    find: writer.find,
    write: (io, batch) => writeEach(io, writer, batch),
    async read(io, ids) {
      await catalogOf(io).account();
      const rows = await Promise.all(ids.map((id) => ask(io, id)));
      return Promise.all(rows.map(async (row) => (row ? toRecord(io, row, "copy") : null)));
    },
    remove: (io, what) =>
      removeEach(io, what, async (id, key) => {
        const row = await ask(io, id);
        if (!row) return gone;
        if (splitOrigin(row.description)?.key !== key) return otherKey;
        if (await hidesContents(io, id))
          return kept(
            "contents_hidden",
            "The project has switched off its issues or its wiki, so the import can't see whether it is empty.",
          );
        // Redmine removes a project's contents with it, so only an empty project is removed.
        const query = { project_id: id, status_id: "*", limit: 1 };
        const { total } = await askList(io, "issues.json", "issues", issueRow, query);
        const below = await askList(io, "projects.json", "projects", projectRow, {
          parent_id: id,
          status: "1|5",
          limit: 100,
        });
        const children = below.rows.some(({ parent }) => String(parent?.id) === id);
        if (total > 0 || children || (await pageHeads(io, id)).length > 0)
          return kept("not_empty", "The project is not empty: Redmine would remove its contents too.");
        await send(io, { url: `projects/${id}.json`, method: "DELETE", accept: [404] });
        return gone;
      }),
    customFields: (io) => customFieldsOf(io, "project"),
    fieldSetup,
    urlOf: ({ instanceUrl }, { id }) => `${instanceUrl.replace(/\/+$/, "")}/projects/${id}`,
  };
};

const reasons: Reasons = {
  name: "Redmine allows 255 characters.",
  description:
    "Links now lead to the copies, Redmine uses another text format, or a mention would have sent a mail.",
  memberIds:
    "These people have no account that can be a member without getting mails, or Redmine did not accept them.",
  customFields: "Redmine's projects have no such field; the last line of the description holds the value.",
};

export const projectCopies = projectStream<Project>({
  stream: projects.projects,
  reasons: {
    ...reasons,
    key: "Redmine allows lowercase letters, digits, dashes and underscores, and each key only once.",
    archived: "Redmine would refuse all records of a closed project; close or archive it after the import.",
    parentProjectId: "Redmine did not accept this parent.",
    visibility: "Redmine did not accept this visibility.",
  },
  lost: ["lead", "tags"],
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
  reasons,
  lost: ["tags"],
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

import { ConnectorError, type DestinationStream, projects } from "@portage/connector-kit";
import { z } from "zod";
import { askOne, askWholeList, send } from "./ask.ts";
import { catalogOf } from "./catalog.ts";
import { customFieldsOf, sentValues, writeCustomValues } from "./custom-values.ts";
import { fieldSetup } from "./field-setup.ts";
import { cleared, ownTimes } from "./losses.ts";
import { listOfProject } from "./project-lists.ts";
import { toVersion, type Version } from "./project-records.ts";
import { keyIn, withMarker } from "./provenance.ts";
import { type VersionRow, versionRow } from "./rows.ts";
import type { RedmineIo, Settings } from "./settings.ts";
import { gone, idsByKey, otherKey, removeEach, writeEach, type Writer } from "./write-each.ts";

const ask = (io: RedmineIo, id: string) =>
  /^\d{1,9}$/.test(id) ? askOne(io, `versions/${id}.json`, "version", versionRow) : Promise.resolve(null);

const ofProject = async (io: RedmineIo, projectId: string) => {
  const url = `projects/${projectId}/versions.json`;
  const rows = await listOfProject(() => askWholeList(io, url, "versions", versionRow));
  return rows.filter(({ project }) => String(project.id) === projectId);
};

const maxName = 60;

/** Names are unique in a project. */
const freeName = (wanted: string, taken: readonly string[]): string => {
  const cut = (length: number) =>
    wanted
      .trim()
      .slice(0, length)
      .replace(/[\ud800-\udbff]$/, "") || "(no name)";
  for (let number = 1; ; number += 1) {
    const end = number === 1 ? "" : ` (${number})`;
    const name = `${cut(maxName - end.length)}${end}`;
    if (!taken.includes(name)) return name;
  }
};

const fieldsOf = async (io: RedmineIo, key: string, record: Version, taken: readonly string[]) => ({
  name: freeName(record.name, taken),
  description: withMarker(record.description, key, 255),
  status: record.state,
  due_date: record.dueOn ?? "",
  custom_fields: await writeCustomValues(io, "version", record.customFields),
});

const made = async (
  io: RedmineIo,
  row: VersionRow,
  { custom_fields, ...fields }: Awaited<ReturnType<typeof fieldsOf>>,
) => ({
  id: String(row.id),
  record: await toVersion(io, row, "copy"),
  sent: await toVersion(io, { ...row, ...fields, custom_fields: sentValues(custom_fields) }, "copy"),
});

const writer: Writer<Version> = {
  stream: projects.versions,
  reasons: {
    name: "Redmine allows 60 characters, and each name only once in a project.",
    description: "Redmine allows 255 characters.",
    customFields: "Redmine's versions have no such field.",
  },
  async find(io, asked) {
    await catalogOf(io).account();
    const parents = [...new Set(asked.flatMap(({ parentId }) => (parentId ? [parentId] : [])))];
    const rows = (await Promise.all(parents.map((id) => ofProject(io, id)))).flat();
    return idsByKey(
      asked,
      rows.map((row) => ({ key: keyIn(row.description), id: String(row.id) })),
    );
  },
  async create(io, { key, record }) {
    const taken = (await ofProject(io, record.projectId)).map(({ name }) => name);
    const version = await fieldsOf(io, key, record, taken);
    const answer = await send(io, {
      url: `projects/${record.projectId}/versions.json`,
      method: "POST",
      json: { version },
    });
    return made(io, answer.json(z.object({ version: versionRow })).version, version);
  },
  async change(io, { key, record }, id) {
    const others = (await ofProject(io, record.projectId)).filter((row) => String(row.id) !== id);
    const version = await fieldsOf(
      io,
      key,
      record,
      others.map(({ name }) => name),
    );
    await send(io, { url: `versions/${id}.json`, method: "PUT", json: { version } });
    const row = await ask(io, id);
    if (row) return made(io, row, version);
    throw new ConnectorError({ recovery: "skip-record", code: "not_found", message: "The version is gone." });
  },
  lane: ({ projectId }) => projectId,
  parentOf: ({ projectId }) => ({ parentId: projectId }),
};

export const versionCopies: DestinationStream<Version, Settings> = {
  stream: projects.versions,
  batchSize: 20,
  idempotency: "lookup",
  guarantees: ["silent"],
  drops: [
    ...ownTimes(""),
    cleared("startsOn", "Redmine's versions have no start date."),
    cleared("tags", "Redmine's versions have no tags."),
  ],
  find: writer.find,
  write: (io, batch) => writeEach(io, writer, batch),
  async read(io, ids) {
    await catalogOf(io).account();
    const rows = await Promise.all(ids.map((id) => ask(io, id)));
    return Promise.all(rows.map(async (row) => (row ? toVersion(io, row, "copy") : null)));
  },
  remove: (io, what) =>
    removeEach(io, what, async (id, key) => {
      const row = await ask(io, id);
      if (!row) return gone;
      if (keyIn(row.description) !== key) return otherKey;
      // Redmine refuses to delete a version that has tasks.
      await send(io, { url: `versions/${id}.json`, method: "DELETE", accept: [404] });
      return gone;
    }),
  customFields: (io) => customFieldsOf(io, "version"),
  fieldSetup,
  urlOf: ({ instanceUrl }, { id }) => `${instanceUrl.replace(/\/+$/, "")}/versions/${id}`,
};

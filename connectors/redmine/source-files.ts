import {
  type FileBody,
  helpdesk,
  inPhases,
  isNumericId,
  projects,
  readPages,
  skipRecord,
  type SourceStream,
} from "@portage/connector-kit";
import { urlOf } from "./addresses.ts";
import { askList } from "./ask.ts";
import { attachmentId, helpdeskNames, type Names, pageId, parseAttachmentId, projectNames } from "./names.ts";
import { listOfModule, listOfProject } from "./project-lists.ts";
import { type AttachmentRow, attachmentRow, type IssueRow } from "./rows.ts";
import type { RedmineIo, Settings } from "./settings.ts";
import { pageHeads, pagesById } from "./source-pages.ts";
import { attachmentTable, versionTable } from "./tables.ts";
import { type Attachment, type Holder, toAttachment } from "./text-records.ts";
import { askIssue, issuePages, keyOfRow, projectPages, signedIn } from "./walks.ts";

/** A file with the record that holds it, and the texts that can show it. */
export interface Held {
  readonly row: AttachmentRow;
  readonly holder: Holder;
}

export const idOfFile = ({ row, holder }: Held): string => attachmentId(holder.stream, holder.id, row.id);

/** Redmine returns all files of a project and of its versions at once. */
const askFiles = async (io: RedmineIo, projectId: string): Promise<readonly Held[]> =>
  (await askList(io, `projects/${projectId}/files.json`, "files", attachmentRow)).rows.map((row) => ({
    row,
    holder: row.version
      ? { stream: "versions", id: String(row.version.id), texts: [] }
      : { stream: "projects", id: projectId, texts: [] },
  }));

/** All files of one record; null if the record no longer exists. */
export const filesOf = async (io: RedmineIo, stream: string, id: string): Promise<readonly Held[] | null> => {
  const held = (rows: readonly AttachmentRow[], texts: readonly (string | null | undefined)[]) =>
    rows.map((row) => ({ row, holder: { stream, id, texts: texts.map((text) => text ?? "") } }));
  if (stream === "tasks" || stream === "tickets") {
    const issue = await askIssue(io, id, "attachments,journals");
    return issue && held(issue.attachments, [issue.description, ...issue.journals.map(({ notes }) => notes)]);
  }
  if (stream === "wikiPages" || stream === "articles") {
    const [page] = await pagesById(io, [id]);
    return page ? held(page.row.attachments, [page.row.text]) : null;
  }
  if (!isNumericId(id)) return null;
  const version = stream === "versions" ? await versionTable.one(io, id) : null;
  if (stream === "versions" && !version) return null;
  const projectId = version ? String(version.project.id) : id;
  const files = await listOfProject(() => askFiles(io, projectId));
  return files.filter(({ holder }) => holder.stream === stream && holder.id === id);
};

export const filesById = async (io: RedmineIo, ids: readonly string[]): Promise<readonly Held[]> => {
  const places = ids.map(parseAttachmentId).filter((place) => place !== null);
  const holders = Map.groupBy(places, ({ stream, parentId }) => `${stream}/${parentId}`).values();
  const found = await Promise.all(
    holders.map(async ([place]) => (place && (await filesOf(io, place.stream, place.parentId))) ?? []),
  );
  return found.flat().filter((file) => ids.includes(idOfFile(file)));
};

export const openAttachment = async (io: RedmineIo, id: string): Promise<FileBody> => {
  const row = await attachmentTable.one(io, parseAttachmentId(id)?.attachmentId ?? "");
  if (!row) throw skipRecord("not_found", "The file is gone.");
  return {
    name: row.filename,
    contentType: row.content_type || "application/octet-stream",
    size: row.filesize,
    open: async () => (await io.http.download({ url: `attachments/download/${row.id}` })).body,
  };
};

const attachments = (
  stream: typeof projects.attachments,
  names: Names,
): SourceStream<Attachment, Settings> => {
  const make = (io: RedmineIo, files: readonly Held[] | null) =>
    Promise.all((files ?? []).map(({ row, holder }) => toAttachment(io, stream, row, holder)));
  const ofIssues = readPages<IssueRow, Attachment, Settings>(issuePages("attachments", 100), {
    key: keyOfRow,
    // Which files a comment shows is known only together with the issue's comments.
    toRecord: async ({ id, attachments: rows }, io) =>
      rows.length === 0 ? [] : make(io, await filesOf(io, names.issues, String(id))),
  });
  const ofPages = readPages(projectPages(5), {
    key: keyOfRow,
    async toRecord({ id }, io) {
      const heads = await pageHeads(io, String(id));
      const all = await Promise.all(
        heads.map(async ({ title }) => make(io, await filesOf(io, names.pages, pageId(id, title)))),
      );
      return all.flat();
    },
  });
  const ofProjects = readPages(projectPages(25), {
    key: keyOfRow,
    toRecord: async ({ id }, io) =>
      make(io, await listOfModule(io, String(id), "files", () => askFiles(io, String(id)))),
  });
  return signedIn({
    stream,
    delta: false,
    readPage: inPhases(names.projects === "projects" ? [ofIssues, ofPages, ofProjects] : [ofIssues, ofPages]),
    readByIds: async (io, ids) => make(io, await filesById(io, ids)),
    async readByParents(io, parents) {
      const found = await Promise.all(parents.map((parent) => filesOf(io, parent.stream, parent.id)));
      return make(
        io,
        found.flatMap((files) => files ?? []),
      );
    },
    urlOf: urlOf(stream),
    openFile: (io, { id }) => openAttachment(io, id),
  });
};

export const projectFiles = attachments(projects.attachments, projectNames);
export const helpdeskFiles = attachments(helpdesk.attachments, helpdeskNames);

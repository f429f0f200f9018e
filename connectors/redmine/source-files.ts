import { ConnectorError, type FileBody, helpdesk, projects, type SourceStream } from "@portage/connector-kit";
import { askList, askOne } from "./ask.ts";
import { helpdeskNames, type Names, pageId, parseAttachmentId, parsePageId, projectNames } from "./names.ts";
import { listOfModule, listOfProject } from "./project-lists.ts";
import { type AttachmentRow, attachmentRow, versionRow } from "./rows.ts";
import type { RedmineIo, Settings } from "./settings.ts";
import { askPage, pageHeads } from "./source-pages.ts";
import { type Attachment, toAttachment } from "./text-records.ts";
import { askIssue, inPhases, walkIssues, walkProjects } from "./walks.ts";

export interface Held {
  readonly row: AttachmentRow;
  readonly texts: readonly string[];
}

/** Redmine returns all files of a project and of its versions at once. */
const askFiles = async (io: RedmineIo, projectId: string) =>
  (await askList(io, `projects/${projectId}/files.json`, "files", attachmentRow)).rows;

/** The files of a project itself, or of one of its versions. */
const filesOfProject = async (io: RedmineIo, projectId: string, versionId: string | null) => {
  const rows = await listOfProject(() => askFiles(io, projectId));
  return rows.filter(({ version }) => (version ? String(version.id) : null) === versionId);
};

/** All files of one record; null if the record no longer exists. */
export const filesOf = async (io: RedmineIo, stream: string, id: string): Promise<readonly Held[] | null> => {
  if (stream === "tasks" || stream === "tickets") {
    const issue = await askIssue(io, id, "attachments,journals");
    const texts = [issue?.description ?? "", ...(issue?.journals.map(({ notes }) => notes ?? "") ?? [])];
    return issue ? issue.attachments.map((row) => ({ row, texts })) : null;
  }
  if (stream === "wikiPages" || stream === "articles") {
    const place = parsePageId(id);
    const page = place ? await askPage(io, place.projectId, place.title) : null;
    return page ? page.attachments.map((row) => ({ row, texts: [page.text ?? ""] })) : null;
  }
  if (!/^\d{1,9}$/.test(id)) return null;
  if (stream === "projects") return (await filesOfProject(io, id, null)).map((row) => ({ row, texts: [] }));
  const version = await askOne(io, `versions/${id}.json`, "version", versionRow);
  if (!version) return null;
  return (await filesOfProject(io, String(version.project.id), id)).map((row) => ({ row, texts: [] }));
};

export const openAttachment = async (io: RedmineIo, id: string): Promise<FileBody> => {
  const place = parseAttachmentId(id);
  const row = place
    ? await askOne(io, `attachments/${place.attachmentId}.json`, "attachment", attachmentRow)
    : null;
  if (!row)
    throw new ConnectorError({ recovery: "skip-record", code: "not_found", message: "The file is gone." });
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
  const make = (io: RedmineIo, holder: string, id: string, held: readonly Held[]) =>
    Promise.all(held.map(({ row, texts }) => toAttachment(io, stream, row, { stream: holder, id, texts })));
  const ofIssues = walkIssues({
    include: "attachments",
    size: 100,
    async toRecords(io, { id, attachments: rows }) {
      if (rows.length === 0) return [];
      // Which files a comment shows is known only together with the issue's comments.
      return make(io, names.issues, String(id), (await filesOf(io, names.issues, String(id))) ?? []);
    },
  });
  const ofPages = walkProjects({
    size: 5,
    async toRecords(io, { id: projectId }) {
      const heads = await pageHeads(io, String(projectId));
      const all = await Promise.all(
        heads.map(async ({ title }) => {
          const id = pageId(projectId, title);
          return make(io, names.pages, id, (await filesOf(io, names.pages, id)) ?? []);
        }),
      );
      return all.flat();
    },
  });
  const ofProjects = walkProjects({
    size: 25,
    async toRecords(io, { id }) {
      const rows = await listOfModule(io, String(id), "files", () => askFiles(io, String(id)));
      const all = await Promise.all(
        rows.map((row) =>
          row.version
            ? make(io, "versions", String(row.version.id), [{ row, texts: [] }])
            : make(io, "projects", String(id), [{ row, texts: [] }]),
        ),
      );
      return all.flat();
    },
  });
  return {
    stream,
    delta: false,
    readPage: inPhases(names.projects === "projects" ? [ofIssues, ofPages, ofProjects] : [ofIssues, ofPages]),
    async readByIds(io, ids) {
      const found = await Promise.all(
        ids.map(async (id) => {
          const place = parseAttachmentId(id);
          if (!place) return [];
          const held = (await filesOf(io, place.stream, place.parentId)) ?? [];
          const own = held.filter(({ row }) => row.id === place.attachmentId);
          return make(io, place.stream, place.parentId, own);
        }),
      );
      return found.flat();
    },
    async readByParents(io, parents) {
      const found = await Promise.all(
        parents.map(async ({ stream: holder, id }) =>
          make(io, holder, id, (await filesOf(io, holder, id)) ?? []),
        ),
      );
      return found.flat();
    },
    urlOf: ({ instanceUrl }, { id }) =>
      `${instanceUrl.replace(/\/+$/, "")}/attachments/${parseAttachmentId(id)?.attachmentId}`,
    openFile: (io, { id }) => openAttachment(io, id),
  };
};

export const projectFiles = attachments(projects.attachments, projectNames);
export const helpdeskFiles = attachments(helpdesk.attachments, helpdeskNames);

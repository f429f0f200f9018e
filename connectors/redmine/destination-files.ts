import {
  counted,
  type FileBody,
  type FindQuery,
  helpdesk,
  idsByKey,
  keyAtEnd,
  mayDiffer,
  notHeld,
  ownValue,
  projects,
  recordStream,
  recover,
  rejected,
  skipRecord,
  truncate,
  withMarker,
  withoutMarker,
} from "@portage/connector-kit";
import { z } from "zod";
import { authorOf, loginFor } from "./act-as.ts";
import { urlOf } from "./addresses.ts";
import { asUser, isForbidden, send } from "./ask.ts";
import { accountOf } from "./catalog.ts";
import { everyCopy } from "./copies.ts";
import { accountNames, ownTimes } from "./losses.ts";
import {
  attachmentId,
  helpdeskNames,
  type Names,
  pageUrl,
  parseCommentId,
  parsePageId,
  projectNames,
} from "./names.ts";
import { whoOf } from "./people.ts";
import { sendInTurn } from "./send-in-turn.ts";
import type { RedmineIo, Settings } from "./settings.ts";
import { filesById, filesOf, type Held, idOfFile, openAttachment } from "./source-files.ts";
import { commentsById } from "./source-issues.ts";
import { askPage } from "./source-pages.ts";
import { attachmentTable, versionTable } from "./tables.ts";
import { type Attachment, toAttachment } from "./text-records.ts";
import { askIssue } from "./walks.ts";
import { keepingWatchers, watchersKept } from "./watchers.ts";

type Parent = Attachment["parent"];

const nameOf = ({ stream, id }: Parent): string => `${stream}/${id}`;

const lost = () => skipRecord("not_found", "The file's parent is gone.");

/** Whoever sees an issue sees its files and their names, also those that came with a private comment. */
export const shownToAll =
  "A file of an internal comment stays out: Redmine would show it to everyone who sees the issue.";

/** Redmine's comments hold no files: a comment's files are attached to its issue. */
const holderOf = (names: Names, { stream, id }: Parent): Parent =>
  stream === "comments" ? { stream: names.issues, id: parseCommentId(id)?.issueId ?? "" } : { stream, id };

const isHidden = async (io: RedmineIo, { stream, id }: Parent): Promise<boolean> => {
  if (stream !== "comments") return false;
  const [comment] = await commentsById("journals")(io, [id]);
  if (!comment) throw lost();
  return comment.journal.private_notes;
};

const projectOfHolder = async (io: RedmineIo, { stream, id }: Parent): Promise<string> => {
  if (stream === "projects") return id;
  const page = parsePageId(id);
  if (page) return page.projectId;
  const found = await (stream === "versions" ? versionTable.one(io, id) : askIssue(io, id, ""));
  if (!found) throw lost();
  return String(found.project.id);
};

/** Redmine's rule for the names of files. */
const sanitized = (name: string): string => name.replace(/^.*[\\/]/s, "").replace(/[/?%*:|"'<>\n\r]+/g, "_");

const uploadRow = z.object({ upload: z.object({ id: z.number(), token: z.string() }) });

const upload = async (io: RedmineIo, file: FileBody, name: string, type: string, login: string | null) => {
  const answer = await send(io, {
    url: "uploads.json",
    method: "POST",
    query: { filename: name, content_type: type },
    // Redmine accepts no other type here; the query states the file's own type.
    file: { ...file, contentType: "application/octet-stream" },
    // Redmine deletes uploads that are never attached to a record.
    idempotent: true,
    auxiliary: true,
    ...asUser(login),
  });
  return answer.json(uploadRow).upload;
};

interface Upload {
  readonly token: string;
  readonly filename: string;
  readonly content_type: string;
  readonly description: string;
}

/**
 * Attaches as the administrator, who may do so everywhere; the uploader stays the file's author. Returns how many watchers
 * Redmine added to the issue and kept.
 */
const hang = async (
  io: RedmineIo,
  { stream, id }: Parent,
  projectId: string,
  file: Upload,
): Promise<{ readonly kept: number }> => {
  const page = parsePageId(id);
  if (page) {
    const found = await askPage(io, page.projectId, page.title);
    if (!found) throw lost();
    // Redmine requires the text again; an unchanged text creates no new version.
    const json = { wiki_page: { text: found.row.text, uploads: [file] } };
    await send(io, { url: `${pageUrl(page.projectId, page.title)}.json`, method: "PUT", json });
    return { kept: 0 };
  }
  if (stream === "projects" || stream === "versions") {
    const version = stream === "versions" ? { version_id: id } : {};
    const json = { file: { ...file, ...version } };
    await send(io, { url: `projects/${projectId}/files.json`, method: "POST", json });
    return { kept: 0 };
  }
  const json = { issue: { uploads: [file] } };
  // A token counts once: Redmine refuses a repetition after a lost answer, although the file is there.
  const attach = () => sendInTurn(io, { url: `issues/${id}.json`, method: "PUT", json, idempotent: false });
  return keepingWatchers(io, [id], attach);
};

const files = (stream: typeof projects.attachments, names: Names) => {
  /** The records that can hold the file: without the parent's stream, all that its id can denote. */
  const holdersOf = ({
    parentId: id,
    parentStream,
  }: Pick<FindQuery, "parentId" | "parentStream">): readonly Parent[] => {
    if (id === undefined) return [];
    if (parentStream !== undefined) return [holderOf(names, { stream: parentStream, id })];
    if (parsePageId(id)) return [{ stream: names.pages, id }];
    if (parseCommentId(id)) return [holderOf(names, { stream: "comments", id })];
    const others = names.projects === "projects" ? ["projects", "versions"] : [];
    return [names.issues, ...others].map((each) => ({ stream: each, id }));
  };
  const find = async (io: RedmineIo, asked: readonly FindQuery[]) => {
    await accountOf(io);
    const hidden = new Map<string, unknown>();
    const look = (holder: Parent) =>
      recover(filesOf(io, holder.stream, holder.id), isForbidden, (error) => {
        hidden.set(nameOf(holder), error);
        return null;
      });
    const holders = new Map(asked.flatMap(holdersOf).map((one) => [nameOf(one), one]));
    const held = (await Promise.all(holders.values().map(look))).flatMap((own) => own ?? []);
    const found = idsByKey(
      asked,
      held.map((file) => ({ key: keyAtEnd(file.row.description), id: idOfFile(file) })),
    );
    for (const query of asked) {
      if ((found.get(query.key) ?? []).length > 0) continue;
      // It may be in the one that Redmine does not show.
      const where = holdersOf(query).find((holder) => hidden.has(nameOf(holder)));
      if (where) throw hidden.get(nameOf(where));
    }
    return found;
  };
  const copies = recordStream<Attachment, Held, Settings>({
    stream,
    batchSize: 10,
    guarantees: ["silent", "keeps-author"],
    holds: {
      ...ownTimes(),
      ...accountNames("author"),
      tags: notHeld("Redmine's files have no tags."),
      inline: ownValue("Redmine shows a file where a text names it."),
      parent: mayDiffer("Redmine's comments hold no files; the file is attached to the issue."),
      fileName: mayDiffer("Redmine replaces characters that file systems don't allow."),
      contentType: mayDiffer("Redmine allows 255 characters."),
      size: mayDiffer("Redmine counts the bytes that it received."),
      description: mayDiffer("Redmine allows 255 characters."),
      author: mayDiffer("The person has no account there that can add files."),
      customFields: mayDiffer("Redmine's files have no custom fields."),
    },
    key: {
      kind: "marker",
      of: ({ row }) => keyAtEnd(row.description),
      async list(io, parentId, parentStream) {
        const holders = holdersOf({ parentId, ...(parentStream === undefined ? {} : { parentStream }) });
        const held = await Promise.all(holders.map(({ stream: name, id }) => filesOf(io, name, id)));
        return held.flatMap((own) => own ?? []);
      },
    },
    ...everyCopy,
    id: idOfFile,
    byIds: filesById,
    toRecord: ({ row, holder }, io) => toAttachment(io, stream, row, holder, "copy"),
    async create(io, { key, record, file }) {
      if (!file) throw skipRecord("no_file", "The file has no bytes.");
      if (await isHidden(io, record.parent)) return rejected("not_private", shownToAll);
      const holder = holderOf(names, record.parent);
      const projectId = await projectOfHolder(io, holder);
      const login = await loginFor(io, record.author, projectId, ["add_issues"]);
      const name = truncate(record.fileName, 200) || "file";
      const { file: body, bytes } = counted(file);
      const { contentType } = record;
      const { id, token } = await upload(io, body, name, contentType, login);
      const description = withMarker(record.description, key, 255);
      const sent = { token, filename: name, content_type: contentType, description };
      const { kept: watching } = await hang(io, holder, projectId, sent);
      const [row] = await filesById(io, [attachmentId(holder.stream, holder.id, id)]);
      if (!row) return rejected("not_taken", "Redmine accepted the file but did not keep it.");
      return {
        row,
        fields: {
          parent: holder,
          fileName: sanitized(name),
          ...(contentType === "" || contentType.length > 255 ? {} : { contentType }),
          size: bytes(),
          description: withoutMarker(description),
          author: await whoOf(io, await authorOf(io, record.author, login)),
        },
        changes: watching > 0 ? [watchersKept("parent", holder)] : [],
      };
    },
    async change(io, { key, record }, before) {
      const filename = record.fileName.slice(0, 200);
      const description = withMarker(record.description, key, 255);
      await attachmentTable.change(io, before.row.id, { filename, description });
      const [row] = await filesById(io, [idOfFile(before)]);
      if (!row) throw skipRecord("not_found", "The file is gone.");
      return {
        row,
        sent: before,
        fields: { fileName: sanitized(filename), description: withoutMarker(description) },
      };
    },
    sequence: ({ parent }) => holderOf(names, parent).id,
    parentOf: ({ parent }) => ({ parentId: parent.id, parentStream: parent.stream }),
    openFile: openAttachment,
    async remove(io, { row, holder }) {
      const issueIds = holder.stream === names.issues ? [holder.id] : [];
      await keepingWatchers(io, issueIds, () => attachmentTable.remove(io, row.id));
    },
    urlOf: urlOf(stream),
  });
  return { ...copies, find };
};

export const projectFileCopies = files(projects.attachments, projectNames);
export const helpdeskFileCopies = files(helpdesk.attachments, helpdeskNames);

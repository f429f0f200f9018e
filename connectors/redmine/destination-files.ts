import {
  ConnectorError,
  counted,
  type DestinationStream,
  type FileBody,
  type FindQuery,
  helpdesk,
  projects,
} from "@portage/connector-kit";
import { z } from "zod";
import { authorOf, loginFor } from "./act-as.ts";
import { askOne, asUser, isForbidden, send } from "./ask.ts";
import { catalogOf } from "./catalog.ts";
import { accountNames, cleared, converted, ownTimes } from "./losses.ts";
import {
  attachmentId,
  helpdeskNames,
  type Names,
  pageUrl,
  parseAttachmentId,
  parseCommentId,
  parsePageId,
  projectNames,
} from "./names.ts";
import { whoOf } from "./people.ts";
import { keyIn, withMarker, withoutMarker } from "./provenance.ts";
import { versionRow } from "./rows.ts";
import { sendInTurn } from "./send-in-turn.ts";
import type { RedmineIo, Settings } from "./settings.ts";
import { filesOf, openAttachment } from "./source-files.ts";
import { askPage } from "./source-pages.ts";
import { type Attachment, toAttachment } from "./text-records.ts";
import { askIssue } from "./walks.ts";
import { keepingWatchers, watchersKept } from "./watchers.ts";
import { gone, idsByKey, otherKey, refused, removeEach, writeEach, type Writer } from "./write-each.ts";

interface Holder {
  readonly stream: string;
  readonly id: string;
}

const nameOf = ({ stream, id }: Holder): string => `${stream}/${id}`;

const lost = () =>
  new ConnectorError({ recovery: "skip-record", code: "not_found", message: "The file's parent is gone." });

/** Redmine's comments hold no files: a comment's files are attached to its issue. */
const holderOf = (names: Names, { stream, id }: Holder): Holder =>
  stream === "comments" ? { stream: names.issues, id: parseCommentId(id)?.issueId ?? "" } : { stream, id };

const projectOf = async (io: RedmineIo, { stream, id }: Holder): Promise<string> => {
  if (stream === "projects") return id;
  const page = parsePageId(id);
  if (page) return page.projectId;
  const found =
    stream === "versions"
      ? await askOne(io, `versions/${id}.json`, "version", versionRow)
      : await askIssue(io, id, "");
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
  { stream, id }: Holder,
  projectId: string,
  file: Upload,
): Promise<{ readonly kept: number }> => {
  const page = parsePageId(id);
  if (page) {
    const row = await askPage(io, page.projectId, page.title);
    if (!row) throw lost();
    // Redmine requires the text again; an unchanged text creates no new version.
    const wiki_page = { text: row.text, uploads: [file] };
    await send(io, {
      url: `${pageUrl(page.projectId, page.title)}.json`,
      method: "PUT",
      json: { wiki_page },
    });
    return { kept: 0 };
  }
  if (stream === "projects" || stream === "versions") {
    const version = stream === "versions" ? { version_id: id } : {};
    const json = { file: { ...file, ...version } };
    await send(io, { url: `projects/${projectId}/files.json`, method: "POST", json });
    return { kept: 0 };
  }
  const json = { issue: { uploads: [file] } };
  return keepingWatchers(io, [id], () => sendInTurn(io, { url: `issues/${id}.json`, method: "PUT", json }));
};

const files = (
  stream: typeof projects.attachments,
  names: Names,
): DestinationStream<Attachment, Settings> => {
  const readOne = async (
    io: RedmineIo,
    id: string,
  ): Promise<{ record: Attachment; key: string | null } | null> => {
    const place = parseAttachmentId(id);
    const held = place ? await filesOf(io, place.stream, place.parentId) : null;
    const own = held?.find(({ row }) => row.id === place?.attachmentId);
    if (!place || !own) return null;
    const holder = { stream: place.stream, id: place.parentId, texts: own.texts };
    return {
      record: await toAttachment(io, stream, own.row, holder, "copy"),
      key: keyIn(own.row.description),
    };
  };
  /** The records that can hold the file: without the parent's stream, all that its id can denote. */
  const holdersOf = ({ parentId: id, parentStream }: FindQuery): readonly Holder[] => {
    if (id === undefined) return [];
    if (parentStream !== undefined) return [holderOf(names, { stream: parentStream, id })];
    if (parsePageId(id)) return [{ stream: names.pages, id }];
    if (parseCommentId(id)) return [holderOf(names, { stream: "comments", id })];
    const others = names.projects === "projects" ? ["projects", "versions"] : [];
    return [names.issues, ...others].map((each) => ({ stream: each, id }));
  };
  const find: Writer<Attachment>["find"] = async (io, asked) => {
    await catalogOf(io).account();
    const held = new Map<string, { key: string | null; id: string }[]>();
    const hidden = new Map<string, unknown>();
    const look = async (holder: Holder) => {
      try {
        const own = (await filesOf(io, holder.stream, holder.id)) ?? [];
        const rows = own.map(({ row }) => ({
          key: keyIn(row.description),
          id: attachmentId(holder.stream, holder.id, row.id),
        }));
        held.set(nameOf(holder), rows);
      } catch (error) {
        if (!isForbidden(error)) throw error;
        hidden.set(nameOf(holder), error);
      }
    };
    const holders = asked.flatMap(holdersOf);
    await Promise.all(new Map(holders.map((one) => [nameOf(one), one])).values().map(look));
    const found = idsByKey(asked, [...held.values()].flat());
    for (const query of asked) {
      if ((found.get(query.key) ?? []).length > 0) continue;
      // It may be in the one that Redmine does not show.
      const where = holdersOf(query).find((holder) => hidden.has(nameOf(holder)));
      if (where) throw hidden.get(nameOf(where));
    }
    return found;
  };
  const writer: Writer<Attachment> = {
    stream,
    reasons: {
      parent: "Redmine's comments hold no files; the file is attached to the issue.",
      fileName: "Redmine replaces characters that file systems don't allow.",
      contentType: "Redmine allows 255 characters.",
      size: "Redmine counts the bytes that it received.",
      description: "Redmine allows 255 characters.",
      author: "The person has no account there that can add files.",
      customFields: "Redmine's files have no custom fields.",
    },
    find,
    async create(io, { key, record, file }) {
      if (!file)
        throw new ConnectorError({
          recovery: "skip-record",
          code: "no_file",
          message: "The file has no bytes.",
        });
      const holder = holderOf(names, record.parent);
      const projectId = await projectOf(io, holder);
      const login = await loginFor(io, record.author, projectId, ["add_issues"]);
      const name = record.fileName.slice(0, 200).replace(/[\ud800-\udbff]$/, "") || "file";
      const { file: body, bytes } = counted(file);
      const { id, token } = await upload(io, body, name, record.contentType, login);
      const description = withMarker(record.description, key, 255);
      const { kept } = await hang(io, holder, projectId, {
        token,
        filename: name,
        content_type: record.contentType,
        description,
      });
      const own = attachmentId(holder.stream, holder.id, id);
      const read = await readOne(io, own);
      if (!read) return refused("not_taken", "Redmine accepted the file but did not keep it.");
      const sent = {
        ...read.record,
        parent: holder,
        fileName: sanitized(name),
        contentType:
          record.contentType === "" || record.contentType.length > 255
            ? read.record.contentType
            : record.contentType,
        size: bytes(),
        description: withoutMarker(description),
        author: await whoOf(io, await authorOf(io, record.author, login)),
      };
      return {
        id: own,
        record: read.record,
        sent,
        changes: kept > 0 ? [watchersKept("parent", holder)] : [],
      };
    },
    async change(io, { key, record }, id) {
      const place = parseAttachmentId(id);
      const before = await readOne(io, id);
      const attachment = {
        filename: record.fileName.slice(0, 200),
        description: withMarker(record.description, key, 255),
      };
      await send(io, { url: `attachments/${place?.attachmentId}.json`, method: "PUT", json: { attachment } });
      const read = await readOne(io, id);
      if (!read || !before)
        throw new ConnectorError({
          recovery: "skip-record",
          code: "not_found",
          message: "The file is gone.",
        });
      const sent = {
        ...before.record,
        fileName: sanitized(attachment.filename),
        description: withoutMarker(attachment.description),
      };
      return { id, record: read.record, sent };
    },
    lane: ({ parent }) => holderOf(names, parent).id,
    parentOf: ({ parent }) => ({ parentId: parent.id, parentStream: parent.stream }),
  };
  return {
    stream,
    batchSize: 10,
    idempotency: "lookup",
    guarantees: ["silent", "keeps-author"],
    drops: [
      ...ownTimes(""),
      ...accountNames(["author"]),
      cleared("tags", "Redmine's files have no tags."),
      converted("inline", "Redmine shows a file where a text names it."),
    ],
    find,
    write: (io, batch) => writeEach(io, writer, batch),
    async read(io, ids) {
      await catalogOf(io).account();
      return Promise.all(ids.map(async (id) => (await readOne(io, id))?.record ?? null));
    },
    openFile: openAttachment,
    remove: (io, what) =>
      removeEach(io, what, async (id, key) => {
        const read = await readOne(io, id);
        if (!read) return gone;
        if (read.key !== key) return otherKey;
        const place = parseAttachmentId(id);
        const issueIds = place?.stream === names.issues ? [place.parentId] : [];
        const url = `attachments/${place?.attachmentId}.json`;
        await keepingWatchers(io, issueIds, () => send(io, { url, method: "DELETE", accept: [404] }));
        return gone;
      }),
    urlOf: ({ instanceUrl }, { id }) =>
      `${instanceUrl.replace(/\/+$/, "")}/attachments/${parseAttachmentId(id)?.attachmentId}`,
  };
};

export const projectFileCopies = files(projects.attachments, projectNames);
export const helpdeskFileCopies = files(helpdesk.attachments, helpdeskNames);

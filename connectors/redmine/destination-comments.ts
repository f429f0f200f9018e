import {
  type FamilyRecord,
  type FamilyStream,
  helpdesk,
  isRefusal,
  matchesChecksum,
  kept,
  mayDiffer,
  notHeld,
  projects,
  recordStream,
  recover,
  rejected,
  type RichText,
  checksumOf,
  skipRecord,
  type Who,
  type Write,
} from "@portage/connector-kit";
import { authorOf, isOwn, loginFor } from "./act-as.ts";
import { urlOf } from "./addresses.ts";
import { asUser, isForbidden } from "./ask.ts";
import { userOf } from "./catalog.ts";
import { everyCopy } from "./copies.ts";
import type { View } from "./issue-records.ts";
import { accountNames, inLastLine, otherText, ownTimes } from "./losses.ts";
import { keyInLine, withLine } from "./origin.ts";
import { mayInvolve } from "./quiet.ts";
import type { IssueRow, JournalRow } from "./rows.ts";
import { sendInTurn } from "./send-in-turn.ts";
import type { RedmineIo, Settings } from "./settings.ts";
import { type Comment, commentsById, idOfComment, journalsOf } from "./source-issues.ts";
import { journalTable } from "./tables.ts";
import { toTaskComment, toTicketComment } from "./text-records.ts";
import { askIssue } from "./walks.ts";
import { dropNewWatchers, stopWatching, watchersKept } from "./watchers.ts";
import { lostIssue } from "./write-issues.ts";
import { writeText } from "./write-text.ts";

interface CommentRecord extends FamilyRecord {
  readonly visibility: "public" | "internal";
  readonly body: RichText;
  readonly author: Who | null;
}

interface Described<T extends CommentRecord> {
  readonly stream: FamilyStream<T>;
  /** The field that names the issue. */
  readonly issueField: string;
  issueId(record: T): string;
  toRecord(io: RedmineIo, issue: IssueRow, journal: JournalRow, view: View): Promise<T>;
}

const include = "journals,attachments,watchers";

/** Acting as another user mails the issue's author, so it is allowed only where that author gets no mails. */
const mayActOn = async (io: RedmineIo, issue: IssueRow): Promise<boolean> => {
  const author = issue.author ? await userOf(io, issue.author.id) : null;
  return author === null || mayInvolve(io, author);
};

const setJournal = (io: RedmineIo, id: number, journal: Readonly<Record<string, unknown>>) =>
  journalTable.change(io, id, journal, { accept: [404] });

const notPrivate = "Redmine would have shown an internal comment to everyone, so the import removed it.";

const byIds = commentsById(include);

/**
 * Makes a comment private that Redmine shows to everyone. If Redmine does not let it, removes the comment; null: it is gone.
 */
const hide = async (io: RedmineIo, comment: Comment): Promise<Comment | null> => {
  const id = idOfComment(comment);
  await recover(setJournal(io, comment.journal.id, { private_notes: true }), isRefusal, () => null);
  const [hidden] = await byIds(io, [id]);
  if (hidden?.journal.private_notes) return hidden;
  await setJournal(io, comment.journal.id, { notes: "" });
  const [left] = await byIds(io, [id]);
  if (!left?.journal.notes) return null;
  throw skipRecord(
    "not_private",
    "Redmine shows an internal comment to everyone and does not let the import remove it.",
  );
};

const comments = <T extends CommentRecord>({ stream, issueField, issueId, toRecord }: Described<T>) => {
  const textOf = async (io: RedmineIo, { key, record }: Write<T>, isAuthor: boolean) => {
    const text = await writeText(io, record.body);
    const seal = checksumOf(key, text, record.visibility === "internal");
    return withLine(io, text, { ...record, author: isAuthor ? null : record.author }, key, seal);
  };
  const made = (comment: Comment, sent: Pick<JournalRow, "notes" | "private_notes" | "user">) => ({
    row: comment,
    sent: { ...comment, journal: { ...comment.journal, ...sent } },
  });
  return recordStream<T, Comment, Settings>({
    stream,
    guarantees: ["silent", "keeps-author"],
    holds: {
      ...ownTimes(inLastLine),
      ...accountNames("author"),
      tags: notHeld("Redmine's comments have no tags; the last line of the text names them."),
      body: otherText,
      author: mayDiffer("The person has no account that can comment there; the last line names them."),
      customFields: mayDiffer("Redmine's comments have no custom fields; the last line holds the value."),
    },
    key: {
      kind: "marker",
      of: ({ journal }, io) => keyInLine(io, journal.notes),
      list: (io, id) => journalsOf(io, id, "journals"),
    },
    ...everyCopy,
    id: idOfComment,
    byIds,
    toRecord: ({ issue, journal }, io) => toRecord(io, issue, journal, "copy"),
    async create(io, write) {
      const { key, record } = write;
      const issue = await askIssue(io, issueId(record), "watchers");
      if (!issue) throw lostIssue();
      const secret = record.visibility === "internal";
      const rights = secret
        ? ["add_issue_notes", "set_notes_private", "view_private_notes"]
        : ["add_issue_notes"];
      const login = (await mayActOn(io, issue))
        ? await loginFor(io, record.author, String(issue.project.id), rights)
        : null;
      const say = async (as: string | null) => {
        if (as !== null) await stopWatching(io, issue);
        const notes = await textOf(io, write, await isOwn(io, record.author, as));
        await sendInTurn(io, {
          url: `issues/${issue.id}.json`,
          method: "PUT",
          json: { issue: { notes, private_notes: secret } },
          // A second send would create a second comment.
          idempotent: false,
          ...asUser(as),
        });
        return { notes, private_notes: secret, user: await authorOf(io, record.author, as) };
      };
      // Redmine hides a private issue from most members, whatever their permissions; it wrote nothing.
      const isHidden = (error: unknown) => login !== null && isForbidden(error);
      const sent = await recover(say(login), isHidden, () => say(null));
      const after = await journalsOf(io, String(issue.id), include);
      const written = after.find(({ journal }) => keyInLine(io, journal.notes) === key);
      if (!written) return rejected("not_taken", "Redmine accepted the comment but did not keep it.");
      const shown = secret && !written.journal.private_notes ? await hide(io, written) : written;
      if (!shown) return rejected("not_private", notPrivate);
      const { kept: watching } = await dropNewWatchers(io, issue.watchers, written.issue);
      const changes = watching > 0 ? [watchersKept(issueField, issueId(record))] : [];
      return { ...made(shown, sent), changes };
    },
    async change(io, write, before) {
      const { record } = write;
      const { user, id } = before.journal;
      const isInternal = record.visibility === "internal";
      const notes = await textOf(io, write, record.author?.id === String(user?.id));
      await setJournal(io, id, { notes, private_notes: isInternal });
      const [after] = await byIds(io, [idOfComment(before)]);
      if (!after) throw lostIssue();
      const shown = isInternal && !after.journal.private_notes ? await hide(io, after) : after;
      if (!shown) throw skipRecord("not_private", notPrivate);
      return made(shown, { notes, private_notes: isInternal, user });
    },
    // Sequentially per issue, to keep the order of the comments.
    sequence: issueId,
    parentOf: (record) => ({ parentId: issueId(record) }),
    isUntouched: ({ journal }, io) =>
      matchesChecksum(journal.notes, io.settings.textFormat, journal.private_notes),
    async remove(io, comment) {
      await setJournal(io, comment.journal.id, { notes: "" });
      const [still] = await byIds(io, [idOfComment(comment)]);
      if (still?.journal.notes) return kept("not_taken", "Redmine kept the comment.");
    },
    urlOf: urlOf(stream),
  });
};

export const taskCommentCopies = comments({
  stream: projects.comments,
  issueField: "taskId",
  issueId: ({ taskId }) => taskId,
  toRecord: toTaskComment,
});
export const ticketCommentCopies = comments({
  stream: helpdesk.comments,
  issueField: "ticketId",
  issueId: ({ ticketId }) => ticketId,
  toRecord: toTicketComment,
});

import {
  ConnectorError,
  type DestinationStream,
  type FamilyRecord,
  helpdesk,
  projects,
  type RichText,
  type Who,
} from "@portage/connector-kit";
import { authorOf, isOwn, loginFor } from "./act-as.ts";
import { asUser, isRefusal, send } from "./ask.ts";
import { catalogOf } from "./catalog.ts";
import type { View } from "./issue-records.ts";
import { accountNames, cleared, ownTimes } from "./losses.ts";
import { commentId, parseCommentId } from "./names.ts";
import { originLine, splitOrigin, withOrigin } from "./provenance.ts";
import { mayInvolve } from "./quiet.ts";
import type { IssueRow, JournalRow } from "./rows.ts";
import { isSealed, sealOf } from "./seal.ts";
import { sendInTurn } from "./send-in-turn.ts";
import type { RedmineIo, Settings } from "./settings.ts";
import { toTaskComment, toTicketComment } from "./text-records.ts";
import { askIssue } from "./walks.ts";
import { dropNewWatchers, stopWatching, watchersKept } from "./watchers.ts";
import { gone, idsByKey, kept, otherKey, refused, removeEach, writeEach, type Writer } from "./write-each.ts";
import { writeLine, writeText } from "./write-text.ts";

interface Comment extends FamilyRecord {
  readonly visibility: "public" | "internal";
  readonly body: RichText;
  readonly author: Who | null;
}

interface Described<T extends Comment> {
  readonly stream: DestinationStream<T>["stream"];
  /** The field that names the issue. */
  readonly issueField: string;
  issueId(record: T): string;
  toRecord(io: RedmineIo, issue: IssueRow, journal: JournalRow, view: View): Promise<T>;
}

const include = "journals,attachments,watchers";

/** Acting as another user mails the issue's author, so it is allowed only where that author gets no mails. */
const mayActOn = async (io: RedmineIo, issue: IssueRow): Promise<boolean> => {
  const author = issue.author ? await catalogOf(io).user(issue.author.id) : null;
  return author === null || mayInvolve(io, author);
};

const noted = (issue: IssueRow | null, key: string) =>
  issue?.journals.find(({ notes }) => splitOrigin(notes)?.key === key);

const setJournal = (io: RedmineIo, id: number, journal: Readonly<Record<string, unknown>>) =>
  send(io, { url: `journals/${id}.json`, method: "PUT", json: { journal }, accept: [404] });

const lost = () =>
  new ConnectorError({ recovery: "skip-record", code: "not_found", message: "The issue is gone." });

const notPrivate = "Redmine would have shown an internal comment to everyone, so the import removed it.";

const journalOf = async (io: RedmineIo, issueId: number, journalId: number) => {
  const issue = await askIssue(io, issueId, include);
  const journal = issue?.journals.find(({ id }) => id === journalId);
  return issue && journal ? { issue, journal } : null;
};

/**
 * Makes a comment private that Redmine shows to everyone. If Redmine does not let it, removes the comment; null: it is gone.
 */
const hide = async (io: RedmineIo, issueId: number, journalId: number) => {
  try {
    await setJournal(io, journalId, { private_notes: true });
  } catch (error) {
    if (!isRefusal(error)) throw error;
  }
  const hidden = await journalOf(io, issueId, journalId);
  if (hidden?.journal.private_notes) return hidden;
  await setJournal(io, journalId, { notes: "" });
  const left = await journalOf(io, issueId, journalId);
  if (!left?.journal.notes) return null;
  throw new ConnectorError({
    recovery: "skip-record",
    code: "not_private",
    message: "Redmine shows an internal comment to everyone and does not let the import remove it.",
  });
};

/** Loads each issue once, however many of its comments the caller asks for. */
const eachPlace = async <R>(
  io: RedmineIo,
  ids: readonly string[],
  tell: (issue: IssueRow | null, journal: JournalRow | undefined) => Promise<R>,
): Promise<readonly R[]> => {
  await catalogOf(io).account();
  const places = ids.map(parseCommentId);
  const issueIds = [...new Set(places.flatMap((place) => (place ? [place.issueId] : [])))];
  const issues = await Promise.all(issueIds.map((id) => askIssue(io, id, include)));
  return Promise.all(
    places.map((place) => {
      const issue = issues[issueIds.indexOf(place?.issueId ?? "")] ?? null;
      return tell(
        issue,
        issue?.journals.find(({ id }) => id === place?.journalId),
      );
    }),
  );
};

const comments = <T extends Comment>(described: Described<T>): DestinationStream<T, Settings> => {
  const { stream, issueId, toRecord } = described;
  const textOf = async (io: RedmineIo, key: string, record: T, own: boolean) => {
    const line = originLine({
      record: { ...record, author: own ? null : record.author },
      keptFields: new Set(),
    });
    const text = await writeText(io, record.body);
    const seal = sealOf(key, text, record.visibility === "internal");
    return withOrigin(text, await writeLine(io, line), key, seal);
  };
  const made = async (
    io: RedmineIo,
    issue: IssueRow,
    journal: JournalRow,
    sent: Pick<JournalRow, "notes" | "private_notes" | "user">,
  ) => ({
    id: commentId(issue.id, journal.id),
    record: await toRecord(io, issue, journal, "copy"),
    sent: await toRecord(io, issue, { ...journal, ...sent }, "copy"),
  });
  const find: Writer<T>["find"] = async (io, asked) => {
    await catalogOf(io).account();
    const parents = [...new Set(asked.flatMap(({ parentId }) => (parentId ? [parentId] : [])))];
    const issues = await Promise.all(parents.map((id) => askIssue(io, id, "journals")));
    return idsByKey(
      asked,
      issues.flatMap((issue) =>
        (issue?.journals ?? []).map(({ id, notes }) => ({
          key: splitOrigin(notes)?.key ?? null,
          id: commentId(issue?.id ?? 0, id),
        })),
      ),
    );
  };
  const writer: Writer<T> = {
    stream,
    reasons: {
      body: "Links now lead to the copies, Redmine uses another text format, or a mention would have sent a mail.",
      author: "The person has no account that can comment there; the last line names them.",
      customFields: "Redmine's comments have no custom fields; the last line holds the value.",
    },
    find,
    async create(io, { key, record }) {
      const issue = await askIssue(io, issueId(record), "watchers");
      if (!issue) throw lost();
      const secret = record.visibility === "internal";
      const rights = secret
        ? ["add_issue_notes", "set_notes_private", "view_private_notes"]
        : ["add_issue_notes"];
      const login = (await mayActOn(io, issue))
        ? await loginFor(io, record.author, String(issue.project.id), rights)
        : null;
      const say = async (as: string | null) => {
        if (as !== null) await stopWatching(io, issue);
        const notes = await textOf(io, key, record, await isOwn(io, record.author, as));
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
      const sent = await say(login).catch((error: unknown) => {
        // Redmine hides a private issue from most members, whatever their permissions; it wrote nothing.
        if (login === null || !(error instanceof ConnectorError) || error.status !== 403) throw error;
        return say(null);
      });
      const after = await askIssue(io, issue.id, include);
      const journal = noted(after, key);
      if (!after || !journal)
        return refused("not_taken", "Redmine accepted the comment but did not keep it.");
      const shown =
        secret && !journal.private_notes ? await hide(io, after.id, journal.id) : { issue: after, journal };
      if (!shown) return refused("not_private", notPrivate);
      const { kept: watching } = await dropNewWatchers(io, issue.watchers, after);
      const changes = watching > 0 ? [watchersKept(described.issueField, issueId(record))] : [];
      return { ...(await made(io, shown.issue, shown.journal, sent)), changes };
    },
    async change(io, { key, record }, id) {
      const place = parseCommentId(id);
      const before = place ? await askIssue(io, place.issueId, "journals") : null;
      const journal = before?.journals.find((one) => one.id === place?.journalId);
      if (!place || !before || !journal) throw lost();
      const own = record.author?.id === String(journal.user?.id);
      const sent = {
        notes: await textOf(io, key, record, own),
        private_notes: record.visibility === "internal",
      };
      await setJournal(io, journal.id, sent);
      const after = await journalOf(io, before.id, journal.id);
      if (!after) throw lost();
      const isShown = record.visibility === "internal" && !after.journal.private_notes;
      const shown = isShown ? await hide(io, before.id, journal.id) : after;
      if (!shown)
        throw new ConnectorError({ recovery: "skip-record", code: "not_private", message: notPrivate });
      return made(io, shown.issue, shown.journal, { ...sent, user: journal.user });
    },
    // Sequentially per issue, to keep the order of the comments.
    lane: issueId,
    parentOf: (record) => ({ parentId: issueId(record) }),
  };
  return {
    stream,
    batchSize: 20,
    idempotency: "lookup",
    guarantees: ["silent", "keeps-author"],
    drops: [
      ...ownTimes("; the last line of the text names the original ones"),
      ...accountNames(["author"]),
      cleared("tags", "Redmine's comments have no tags; the last line of the text names them."),
    ],
    find,
    write: (io, batch) => writeEach(io, writer, batch),
    read: (io, ids) =>
      eachPlace(io, ids, async (issue, journal) =>
        issue && journal ? toRecord(io, issue, journal, "copy") : null,
      ),
    isUntouched: (io, ids) =>
      eachPlace(io, ids, async (_, journal) => isSealed(journal?.notes, journal?.private_notes)),
    remove: (io, what) =>
      removeEach(io, what, async (id, key) => {
        const place = parseCommentId(id);
        const issue = place ? await askIssue(io, place.issueId, "journals") : null;
        const journal = issue?.journals.find((one) => one.id === place?.journalId);
        if (!journal) return gone;
        if (splitOrigin(journal.notes)?.key !== key) return otherKey;
        await setJournal(io, journal.id, { notes: "" });
        const after = await askIssue(io, place?.issueId ?? "", "journals");
        const still = after?.journals.find((one) => one.id === place?.journalId);
        return (still?.notes ?? "") === "" ? gone : kept("not_taken", "Redmine kept the comment.");
      }),
    urlOf: ({ instanceUrl }, { id }) => {
      const place = parseCommentId(id);
      return `${instanceUrl.replace(/\/+$/, "")}/issues/${place?.issueId}#change-${place?.journalId}`;
    },
  };
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

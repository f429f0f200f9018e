import { send } from "./ask.ts";
import { catalogOf } from "./catalog.ts";
import type { IssueRow } from "./rows.ts";
import type { RedmineIo } from "./settings.ts";
import { askIssue } from "./walks.ts";

/**
 * Redmine makes each user who changes an issue its watcher, unless they turned that off. A copy has the watchers of
 * its original, so this removes the ones that Redmine added. Returns whether it removed any.
 */
export const dropNewWatchers = async (
  io: RedmineIo,
  before: readonly { readonly id: number }[],
  after: IssueRow,
): Promise<boolean> => {
  const added = after.watchers.filter(({ id }) => !before.some((one) => one.id === id));
  for (const { id } of added)
    await send(io, { url: `issues/${after.id}/watchers/${id}.json`, method: "DELETE", accept: [403, 404] });
  return added.length > 0;
};

/**
 * Redmine mails a write in another user's name to our account if that watches the issue. It does after its own write
 * whose answer was lost, since then `dropNewWatchers` never ran.
 */
export const stopWatching = async (io: RedmineIo, { id, watchers }: IssueRow): Promise<void> => {
  const { id: own } = await catalogOf(io).account();
  if (io.settings.notifications === "off" || !watchers.some((watcher) => watcher.id === own)) return;
  await send(io, { url: `issues/${id}/watchers/${own}.json`, method: "DELETE", accept: [403, 404] });
};

/** Runs work on issues without changing their watchers. */
export const keepingWatchers = async <R>(
  io: RedmineIo,
  issueIds: readonly string[],
  work: () => Promise<R>,
): Promise<R> => {
  const ask = () => Promise.all(issueIds.map((id) => askIssue(io, id, "watchers")));
  const before = await ask();
  const done = await work();
  const after = await ask();
  for (const [index, issue] of after.entries())
    if (issue) await dropNewWatchers(io, before[index]?.watchers ?? [], issue);
  return done;
};

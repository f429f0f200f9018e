import { send } from "./ask.ts";
import { catalogOf } from "./catalog.ts";
import type { IssueRow } from "./rows.ts";
import type { RedmineIo } from "./settings.ts";
import { askIssue } from "./walks.ts";

/**
 * Redmine makes whoever touches an issue its watcher, if they have not turned that off. A copy has the watchers of
 * its original: who was added on the way is taken off again. Answers whether there was anybody.
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
 * What is written in somebody's name is mailed to the account itself where it watches the issue: it does so by
 * itself after a write of its own whose answer was lost, and nobody could take it off again.
 */
export const stopWatching = async (io: RedmineIo, { id, watchers }: IssueRow): Promise<void> => {
  const { id: own } = await catalogOf(io).account();
  if (io.settings.notifications === "off" || !watchers.some((watcher) => watcher.id === own)) return;
  await send(io, { url: `issues/${id}/watchers/${own}.json`, method: "DELETE", accept: [403, 404] });
};

/** Does something to issues that must not change who watches them. */
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

import { converted, type FieldChange, isRefusal, recover } from "@portage/connector-kit";
import { send } from "./ask.ts";
import { accountOf } from "./catalog.ts";
import type { IssueRow } from "./rows.ts";
import type { RedmineIo } from "./settings.ts";
import { askIssue } from "./walks.ts";

/** Of the watchers that Redmine added: how many this removed, and how many Redmine did not let it remove. */
export interface DroppedWatchers {
  readonly dropped: number;
  readonly kept: number;
}

/**
 * Redmine makes each user who changes an issue its watcher, unless they turned that off. A copy has the watchers of
 * its original, so this removes the ones that Redmine added.
 */
export const dropNewWatchers = async (
  io: RedmineIo,
  before: readonly { readonly id: number }[],
  after: IssueRow,
): Promise<DroppedWatchers> => {
  const added = after.watchers.filter(({ id }) => !before.some((one) => one.id === id));
  let kept = 0;
  for (const { id } of added) {
    const url = `issues/${after.id}/watchers/${id}.json`;
    const { status } = await send(io, { url, method: "DELETE", accept: [403, 404, 422] });
    if (status === 403 || status === 422) kept += 1;
  }
  return { dropped: added.length - kept, kept };
};

/** For the report: `field` names the issue, and keeps its value. */
export const watchersKept = (field: string, becomes: unknown): FieldChange => ({
  ...converted(
    field,
    "Redmine made the import's account a watcher of the issue and did not let it stop watching.",
  ),
  becomes,
});

/**
 * Redmine mails a write in another user's name to our account if that watches the issue. It does after its own write
 * whose answer was lost, since then `dropNewWatchers` never ran.
 */
export const stopWatching = async (io: RedmineIo, { id, watchers }: IssueRow): Promise<void> => {
  const { id: own } = await accountOf(io);
  if (io.settings.notifications === "off" || !watchers.some((watcher) => watcher.id === own)) return;
  const url = `issues/${id}/watchers/${own}.json`;
  await send(io, { url, method: "DELETE", accept: [403, 404, 422], auxiliary: true });
};

/** Runs work on issues without changing their watchers. Returns how many watchers Redmine added and kept, beside the result. */
export const keepingWatchers = async <R>(
  io: RedmineIo,
  issueIds: readonly string[],
  work: () => Promise<R>,
): Promise<{ readonly done: R; readonly kept: number }> => {
  const ask = () => Promise.all(issueIds.map((id) => askIssue(io, id, "watchers")));
  const before = await ask();
  const done = await work();
  let kept = 0;
  const drop = async () => {
    for (const [index, issue] of (await ask()).entries())
      if (issue) kept += (await dropNewWatchers(io, before[index]?.watchers ?? [], issue)).kept;
  };
  // The work is done, whatever becomes of the watchers.
  await recover(drop(), isRefusal, () => {
    kept += 1;
  });
  return { done, kept };
};

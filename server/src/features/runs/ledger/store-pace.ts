/**
 * Keeps how far a partition was one to two minutes ago, in the same update that moves it on: its speed needs no row of
 * its own. Starts over after a long silence (a pause, a night). `read`: the sum after this update.
 */
export const keepPace = (read: string): string => {
  const isOld = "mark_at is null or mark_at < now() - interval '1 minute'";
  const isStale = "mark_at < now() - interval '5 minutes'";
  const moved = (kept: string, mark: string) =>
    `case when not coalesce(${isOld}, true) then ${kept} when ${isStale} then null else ${mark} end`;
  return `before_at = ${moved("before_at", "mark_at")}, before_read = ${moved("before_read", "mark_read")},
    mark_read = case when ${isOld} then ${read} else mark_read end,
    mark_at = case when ${isOld} then now() else mark_at end`;
};

/** Records a second, of partitions at work for at least a moment; null: unknown yet. */
export const paceSum = `sum(case when p.state = 'running' and p.mark_at > now() - interval '10 minutes'
      and coalesce(p.before_at, p.mark_at) < now() - interval '3 seconds'
    then (p.read - coalesce(p.before_read, p.mark_read))
      / extract(epoch from now() - coalesce(p.before_at, p.mark_at)) end)::float8`;

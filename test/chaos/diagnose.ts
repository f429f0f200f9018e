import type { Database } from "../../server/src/platform/db.ts";

/** The state of the runs, to find out why nothing moves. It contains no copied data. */
export const describeRuns = async ({ pool }: Database): Promise<readonly string[]> => {
  const { rows } = await pool.query<{ line: string }>(
    `select to_jsonb(r)::text as line from runs r
     union all
     select to_jsonb(p)::text from (select no, task, stream, state, generation, epoch, failures, read, due_at, now(),
       cardinality(batch_ids) as in_doubt, batch_deadline from partitions where state = 'running') p`,
  );
  return rows.map(({ line }) => line);
};

/** Ledger rows that are not plainly written, by cause, with a few source ids. It contains no copied data. */
export const describeExceptions = async ({ pool }: Database): Promise<readonly string[]> => {
  const { rows } = await pool.query<{ line: string }>(
    `select concat_ws(' ', stream, 'state', state, reason, count(*), 'such as',
       array_to_string((array_agg(source_id order by source_id))[1:8], ', ')) as line
     from ledger where state <> 1 or reason is not null group by stream, state, reason order by 1`,
  );
  return rows.map(({ line }) => line);
};

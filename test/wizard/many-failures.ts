import type { Database } from "../../server/src/platform/db.ts";

/** As if a finished move had failed to write this many more tickets. */
export const addFailures = async (db: Database, importId: string, count: number): Promise<void> => {
  const { rows } = await db.pool.query<{ id: string; number: number; leaf: string }>(
    `select id, number, ledger_leaf as leaf from runs where import_id = $1 and kind = 'full' order by number desc limit 1`,
    [importId],
  );
  const [run] = rows;
  if (!run) throw new Error("There is no full move.");
  await db.pool.query(
    `insert into ${run.leaf} (import_id, stream, source_id, state, key_generation, mapping_revision, run_number, swept,
       reason, detail)
     select $1, 'tickets', 'z' || lpad(n::text, 6, '0'), 4, 1, 0, $2, $2,
       case when n % 3 = 0 then 'too_large' else 'rejected' end,
       case when n % 5 = 0 then 'The subject <b>"' || n || '"</b> <script>alert(1)</script> was not taken.' end
     from generate_series(1, $3::int) n`,
    [importId, run.number, count],
  );
  const large = Math.floor(count / 3);
  await db.pool.query(
    `update partitions set tallies = tallies || $2::jsonb
     where run_id = $1 and task = 'verify' and stream = 'tickets' and no =
       (select min(no) from partitions where run_id = $1 and task = 'verify' and stream = 'tickets')`,
    [
      run.id,
      JSON.stringify({
        "count|row|source|failed|too_large": large,
        "count|row|source|failed|rejected": count - large,
      }),
    ],
  );
  await db.pool.query(
    `update partitions set read = read + $2 where run_id = $1 and task = 'sweep' and stream = 'tickets' and no =
       (select min(no) from partitions where run_id = $1 and task = 'sweep' and stream = 'tickets')`,
    [run.id, count],
  );
  await db.pool.query("update imports set findings = coalesce(findings, '[]') || $2::jsonb where id = $1", [
    importId,
    JSON.stringify([{ stream: "tickets", kind: "failed", code: "rejected", count, examples: [] }]),
  ]);
};

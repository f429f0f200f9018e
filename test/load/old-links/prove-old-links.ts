// `npm run prove:old-links`: resolves 100,000 old ids of one import over HTTP: each to its own record, fast, beside a bare route with the same SQL.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LoadOrder, LoadResult } from "../../../bench/load-client.ts";
import { ensureLedgerMonth } from "../../../server/src/features/runs/index.ts";
import { ledgerLeafOf } from "../../../server/src/features/runs/ledger/store-months.ts";
import { newId } from "../../../server/src/platform/ids.ts";
import { createFixture } from "../../support/fixture.ts";
import { givenPartner } from "../../support/fixtures.ts";
import { freePort } from "../../support/free-port.ts";
import { prove } from "../../support/proof.ts";
import { median } from "../../support/statistics.ts";

const goal = { ratio: 0.6, p99Ms: 20, perSecond: 1_000 };
const poolSize = "10";
const old = "https://redmine.example/issues";
const newAddress = (id: number) => `https://rt.example/Ticket/Display.html?id=${id + 500_000}`;

const send = async (client: ChildProcess, order: LoadOrder): Promise<LoadResult> => {
  client.send(order);
  const [result] = (await once(client, "message")) as [LoadResult | { error: string }];
  if ("error" in result) throw new Error(result.error);
  return result;
};

await prove("old-links", async (proof) => {
  const folder = mkdtempSync(join(tmpdir(), "portage-old-links-"));
  proof.afterwards(() => rmSync(folder, { recursive: true }));
  const fixture = await createFixture(proof, { shared_buffers: "256MB" });
  const { db } = fixture;
  const count = proof.size(100_000, 500);
  await ensureLedgerMonth(db, new Date());

  /** An import with this many moved tickets, the first of them numbered `first`. */
  const givenMoved = async (first: number, tickets: number): Promise<string> => {
    const { partner } = await givenPartner(db, { destinationTool: "request-tracker" });
    const { id } = await fixture.createImport(partner.id);
    const leaf = await ledgerLeafOf(db, id);
    await db.pool.query(
      "update imports set status = 'migration_completed', full_copy = 'all' where id = $1",
      [id],
    );
    await db.pool.query(
      `insert into old_links (import_id, partner_id, family, source_tool, source_settings, destination_tool,
         destination_settings, destination_urls, ledger_leaf)
       values ($1, $2, 'helpdesk', 'redmine', '{"instanceUrl":"https://redmine.example"}', 'request-tracker',
         '{"instanceUrl":"https://rt.example"}', '{}', $3)`,
      [id, partner.id, leaf],
    );
    await db.pool.query(
      `insert into ${leaf} (import_id, stream, source_id, state, key_generation, mapping_revision, run_number, dest_id)
       select $1, 'tickets', n::text, 1, 1, 0, 1, (n + 500000)::text from generate_series($2::int, $3::int) n`,
      [id, first, first + tickets - 1],
    );
    return id;
  };
  const importId = await givenMoved(1, count);
  const foreign = await givenMoved(count + 1, 200);
  await db.pool.query("vacuum analyze");

  const apiPort = await freePort();
  await fixture.startApi({
    env: { PORT: String(apiPort), DATABASE_POOL_SIZE: poolSize, LOG_LEVEL: "info" },
    logFile: join(folder, "api.log"),
  });
  const barePort = await freePort();
  const bare = fork(join(import.meta.dirname, "bare-route.ts"), {
    env: { ...fixture.env, PORT: String(barePort), DATABASE_POOL_SIZE: poolSize },
  });
  proof.afterwards(() => bare.kill());
  await once(bare, "message");
  const client = fork(join(import.meta.dirname, "../../../bench/load-client.ts"));
  proof.afterwards(() => client.kill());

  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  proof.afterwards(() => agent.destroy());
  const follow = (path: string) =>
    new Promise<{ status: number; location: string | undefined }>((resolve, reject) => {
      get({ host: "127.0.0.1", port: apiPort, path, agent }, (answer) => {
        answer
          .resume()
          .once("end", () => resolve({ status: answer.statusCode ?? 0, location: answer.headers.location }));
      }).once("error", reject);
    });
  let next = 1;
  let wrong = 0;
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      for (let id = next++; id <= count; id = next++) {
        const { status, location } = await follow(`/r/${importId}/${old}/${id}`);
        if (status !== 302 || location !== newAddress(id)) wrong += 1;
      }
    }),
  );
  proof.holds(`each of ${count} old addresses leads to its own record`, wrong === 0, { wrong });

  const requests = (pathOf: (id: number) => string) =>
    Array.from({ length: count }, (_, at) => {
      const id = ((at * 7_919) % count) + 1; // in an order that no cache of pages likes
      return `GET ${pathOf(id)} HTTP/1.1\r\nHost: portage.test\r\n\r\n`;
    });
  const sides = {
    resolver: { port: apiPort, requests: requests((id) => `/r/${importId}/${old}/${id}`) },
    bare: { port: barePort, requests: requests((id) => `/bare/${importId}/${id}`) },
  };
  type Side = keyof typeof sides;
  const names: readonly Side[] = ["resolver", "bare"];
  const measure = (side: Side, durationMs: number, more: Partial<LoadOrder> = {}) =>
    send(client, { ...sides[side], connections: 32, durationMs, ...more });
  for (const side of names) await measure(side, proof.size(10_000, 1_000));

  const paced: Record<Side, LoadResult[]> = { resolver: [], bare: [] };
  const fast: Record<Side, LoadResult[]> = { resolver: [], bare: [] };
  const rounds = proof.size(9, 1);
  for (let round = 0; round < rounds; round++) {
    for (const at of names.keys()) {
      const side = names[(at + round) % names.length] as Side;
      paced[side].push(await measure(side, proof.size(5_000, 500), { perSecond: goal.perSecond }));
      fast[side].push(await measure(side, proof.size(3_000, 500)));
    }
    const line = names.map((side) => {
      const { p50, p99, rps } = paced[side].at(-1) as LoadResult;
      return `${side} ${rps}/s p50 ${p50} p99 ${p99} ms, at most ${fast[side].at(-1)?.rps}/s`;
    });
    proof.say(`round ${round + 1}: ${line.join("; ")}`);
  }
  const all = names.flatMap((side) => [...paced[side], ...fast[side]]);
  proof.holds(
    "every answer under load is a redirect",
    all.every(({ statuses }) => Object.keys(statuses).join() === "302"),
    all[0]?.statuses,
  );
  const p99 = median(paced.resolver.map((result) => result.p99));
  const ratio =
    Math.round(
      median(fast.resolver.map(({ rps }, round) => rps / (fast.bare[round]?.rps ?? Number.NaN))) * 1000,
    ) / 1000;
  proof.aims(`p99 under ${goal.p99Ms} ms at ${goal.perSecond} a second`, p99 < goal.p99Ms, p99);
  proof.aims(
    `ratio to a bare route with the same statements at least ${goal.ratio}`,
    ratio >= goal.ratio,
    ratio,
  );

  // After the load: who misses too often has to wait.
  const misses = [
    ...Array.from({ length: 60 }, (_, at) => `/r/${importId}/${old}/${count + 1 + at}`),
    ...Array.from({ length: 60 }, (_, at) => `/r/${foreign}/${old}/${at + 1}`),
    ...Array.from({ length: 60 }, (_, at) => `/r/${newId("imp")}/${old}/${at + 1}`),
    ...Array.from({ length: 60 }, (_, at) => `/r/${importId}/https://evil.example/issues/${at + 1}`),
  ];
  const answers = await Promise.all(misses.map(follow));
  const answered404 = answers.filter(
    ({ status, location }) => status === 404 && location === undefined,
  ).length;
  proof.holds(
    "foreign and guessed ids, imports and hosts give 404",
    answered404 === misses.length,
    answered404,
  );
  const figures = (side: Side) => ({
    at1000: {
      p50_ms: median(paced[side].map(({ p50 }) => p50)),
      p99_ms: median(paced[side].map((r) => r.p99)),
    },
    most_per_second: median(fast[side].map(({ rps }) => rps)),
  });
  return { count, ratio, resolver: figures("resolver"), bare: figures("bare"), rounds };
});

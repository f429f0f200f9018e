// `npm run prove:fuzz`: 20,000 requests, generated from the schema and hostile, of 2,000 partners. No 5xx, no undocumented
// status or shape of an answer, and no secret in the log. --seed NUMBER plays the same again, --scale 0.03 fewer.
import { randomBytes } from "node:crypto";
import { parseArgs } from "node:util";
import fc from "fast-check";
import { createFixture } from "../support/fixture.ts";
import { createPartners, type TestPartner } from "../support/partners.ts";
import { createSimulation } from "../support/simulation.ts";
import { prove } from "../support/proof.ts";
import { histogram } from "../support/statistics.ts";
import { exchangeBytes } from "../support/raw-http.ts";
import { createAnswerCheck } from "./fuzz/check-answer.ts";
import { type HttpCase, placeholders } from "./fuzz/http-case.ts";
import { httpCase } from "./fuzz/cases.ts";

const { values } = parseArgs({
  options: { seed: { type: "string" }, scale: { type: "string" } },
});
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));

/** Printed so that the case can be replayed: the bytes as JSON text, and the origin of the case. */
const show = (index: number, { kind, bytes }: HttpCase, what: string) => {
  const text = JSON.stringify(bytes);
  return `case ${index} of seed ${seed} (${kind}): ${what}\n  ${text.length > 1_200 ? `${text.slice(0, 1_200)}… (${bytes.length} bytes)` : text}`;
};

await prove("fuzz", async (proof) => {
  const fixture = await createFixture(proof);
  const api = await fixture.startApi({ env: { REQUEST_TIMEOUT_MS: "20000" } });
  const count = proof.size(20_000, 500);
  const partners = await createPartners(fixture.db, proof.size(2_000, 200));
  const imports = await Promise.all(partners.map(({ id }) => fixture.createImport(id)));
  const simulations: string[] = [];
  // A few at a time: all at once would exhaust the database connections of a busy machine.
  for (let at = 0; at < partners.length; at += 20)
    simulations.push(
      ...(await Promise.all(
        partners.slice(at, at + 20).map(({ authorization }) => createSimulation(api.url, authorization)),
      )),
    );
  const document = await (await fetch(`${api.url}/docs/api/openapi.json`)).json();
  const check = createAnswerCheck(document as Parameters<typeof createAnswerCheck>[0]);
  proof.say(`seed ${seed}: ${count} requests of ${partners.length} partners`);
  const cases = fc.sample(httpCase, { seed, numRuns: count });

  const secrets = new Set<string>(partners.map(({ token }) => token));
  const links = new Set<string>(imports.map(({ linkToken }) => linkToken));
  const statuses: number[] = [];
  const byKind: string[] = [];
  const failures: string[] = [];
  const fill = (bytes: string, index: number) => {
    const partner = partners[index % partners.length] as TestPartner;
    return bytes
      .replaceAll(placeholders.authorization, partner.authorization)
      .replaceAll(placeholders.importId, imports[index % partners.length]?.id ?? "")
      .replaceAll(placeholders.simulationId, simulations[index % partners.length] ?? "")
      .replaceAll(placeholders.linkToken, imports[index % partners.length]?.linkToken ?? "")
      .replaceAll(placeholders.secret, () => {
        const secret = `dst_${randomBytes(12).toString("hex")}`;
        secrets.add(secret);
        return secret;
      });
  };
  const runOne = async (index: number) => {
    const sent = cases[index] as HttpCase;
    const { answers, end } = await exchangeBytes(api.port, fill(sent.bytes, index), sent);
    for (const answer of answers) {
      statuses.push(answer.status);
      byKind.push(`${sent.kind} ${answer.status}`);
      const wrong = check(sent, answer);
      if (wrong) failures.push(show(index, sent, `${wrong}; ${answer.status} ${answer.body.slice(0, 300)}`));
      for (const [, token] of answer.body.matchAll(/"token":"([0-9a-f]{32})"/g)) links.add(token as string);
    }
    if (answers.length < sent.wanted)
      failures.push(show(index, sent, `${answers.length} answers of ${sent.wanted}, ${end}`));
  };
  let next = 0;
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      while (next < count) await runOne(next++);
    }),
  );

  const alive = await fetch(`${api.url}/readyz`);
  const log = api.lines.join("\n");
  const shown = [...secrets].filter(
    (secret) => secret.startsWith("ptg_live_") && log.includes(secret.slice(0, 20)),
  );
  const leaks = [
    ...shown,
    ...(log.match(/ptg_live_|cHRnX2xpdmVf|dst_[0-9a-f]{6}/g) ?? []),
    ...(log.match(/[0-9a-f]{32}/g) ?? []).filter((run) => links.has(run)),
  ];
  const errors = api.lines.filter((line) => /"level":(50|60)/.test(line));
  // One of each kind first: a common failure must not hide a rare one.
  const sorts = new Map(
    failures.map((line) => [line.replace(/^case \d+ of seed \d+/, "").slice(0, 70), line]),
  );
  for (const line of [...[...sorts.values()].slice(0, 20), ...errors.slice(0, 3)]) proof.say(line);
  proof.say(`by kind: ${JSON.stringify(histogram(byKind))}`);
  const seen = histogram(statuses);
  const barred = (seen["401"] ?? 0) + (seen["429"] ?? 0);
  proof.holds(
    "no 5xx",
    statuses.every((status) => status < 500),
    seen,
  );
  proof.holds(
    "every answer is documented and in its documented shape, and none is missing",
    failures.length === 0,
    failures.length,
  );
  // In a thousand answers, chance alone moves this by half a per cent; only the full run is significant.
  proof.meets("at most 1 % are 401 or 429", barred <= statuses.length / 100, barred);
  proof.holds("no secret in the log", leaks.length === 0, {
    lines: api.lines.length,
    secrets: secrets.size,
    links: links.size,
    leaks: leaks.slice(0, 3),
  });
  proof.holds("no internal error in the log", errors.length === 0, errors.length);
  proof.holds("the process runs and is ready", alive.status === 200, alive.status);
  return {
    seed,
    requests: count,
    partners: partners.length,
    answers: statuses.length,
    statuses: seen,
    failures: failures.length,
    barred,
    secrets: secrets.size + links.size,
  };
});

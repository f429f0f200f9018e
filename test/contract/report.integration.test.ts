import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ImportReport } from "@portage/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { refusing } from "../runs/refusing.ts";
import { createRunsFixture } from "../runs/runs-fixture.ts";
import { standInConnector } from "../tools/stand-in/connector.ts";
import { type StandIn, startStandIn } from "../tools/stand-in/stand-in.ts";
import { live, sandbox } from "./api.ts";
import { simulator, useSimulator } from "./simulator-fixture.ts";

const fixture = useSimulator();
const { api } = fixture;
const counts = {
  users: 0,
  tickets: 12,
  contacts: 4,
  comments: 0,
  organizations: 0,
  groups: 0,
  articles: 2,
  attachments: 0,
};
const connector = standInConnector({ family: "helpdesk", paging: "keyset", pageSize: 5 }) as never;

interface Signed {
  readonly summary: { readonly adds_up: boolean; readonly import_id: string };
  readonly jws: string;
}
type IsGenuine = (signed: Signed, keys: readonly object[]) => boolean;

let source: StandIn;
let destination: StandIn;
let folder = "";
let isGenuine: IsGenuine;
beforeAll(async () => {
  source = await startStandIn({ counts, hostile: false, largeText: 100 });
  destination = await startStandIn({ seed: "destination" });
  const page = readFileSync(join(import.meta.dirname, "../../docs/check-a-report.md"), "utf8");
  const [, code = ""] = /```ts\n([\s\S]*?)```/.exec(page) ?? [];
  folder = mkdtempSync(join(tmpdir(), "portage-check-"));
  writeFileSync(join(folder, "check.ts"), code);
  ({ isGenuine } = (await import(join(folder, "check.ts"))) as { isGenuine: IsGenuine });
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await source.close();
  await destination.close();
});

const begin = async () => {
  const runs = await createRunsFixture({ db: api.db, sealer: api.sealer });
  const picky = refusing(connector, (stream, { id }) =>
    stream === "tickets" && id === "3" ? { kind: "rejected", code: "too_large", message: "No." } : null,
  );
  const one = await runs.begin(
    { connector, tool: source },
    { connector: picky, tool: destination },
    { mapping: { includes: (stream: string) => stream !== "articles" } },
  );
  const ask = (path: string, token = runs.token) =>
    api.ask({ path: `${live}/imports/${one.importId}${path}`, token });
  return { ...one, ask };
};

const publishedKeys = async () => {
  const answer = await fetch(`${api.origin}/.well-known/portage-report-keys.json`);
  return ((await answer.json()) as { keys: object[] }).keys;
};

test("409 in plain words until a copy has completed, 404 for another partner's import", async () => {
  const one = await begin();
  for (const path of ["/report", "/report/summary"]) {
    expect(await one.ask(path)).toMatchObject({
      status: 409,
      json: {
        error: { code: "conflict", message: expect.stringContaining("There is no report yet.") as string },
      },
    });
    const { token } = await api.partner();
    expect(await one.ask(path, token)).toMatchObject({
      status: 404,
      json: { error: { code: "not_found" } },
    });
  }
});

describe("after a full migration", () => {
  test("the report counts every record by stream and cause, and names none", async () => {
    const one = await begin();
    await one.run({ type: "full_started" });
    const { status, json, text } = await one.ask("/report");
    expect(status).toBe(200);
    const { streams, ...report } = json as ImportReport;
    expect(report).toMatchObject({
      id: one.importId,
      adds_up: true,
      undone: false,
      run: { number: 1, kind: "full" },
      left_behind: [{ stream: "articles", label: "Articles", reason: "not_selected", count: 2 }],
      silence: null,
    });
    expect(streams.find(({ stream }) => stream === "tickets")).toMatchObject({
      label: "Tickets",
      source: 12,
      written: 11,
      matched: 0,
      skipped: [],
      failed: [
        {
          code: "too_large",
          count: 1,
          message: "1 ticket could not be written: too large for the new tool.",
        },
      ],
      verified: { sampled_one_of: 1, compared: 11, same: 11, differs: 0 },
      adds_up: true,
    });
    expect(text).not.toContain("examples");
    expect(text).not.toContain(source.url);
    // The tool's own words about the one record.
    expect(text).not.toContain("No.");
  });

  test("the check on the page accepts the signed summary, and nothing altered", async () => {
    const one = await begin();
    await one.run({ type: "full_started" });
    const signed = (await one.ask("/report/summary")).json as Signed;
    expect(signed.summary).toMatchObject({ import_id: one.importId, adds_up: true });
    const keys = await publishedKeys();
    expect(isGenuine(signed, keys)).toBe(true);
    const altered = { ...signed, summary: { ...signed.summary, adds_up: false } };
    expect(isGenuine(altered, keys)).toBe(false);
  });
});

test("the check refuses what the sandbox and the simulator sign", async () => {
  const acme = await fixture.partner();
  const { id } = await acme.create({ reference: "undo" });
  const path = `${simulator}/imports/${id}/report`;
  expect((await api.ask({ path, token: acme.token })).status).toBe(409);
  await fixture.walk(id);
  const report = (await api.ask({ path, token: acme.token })).json as ImportReport;
  expect(report).toMatchObject({ id, undone: true, adds_up: true, run: { kind: "full" } });
  expect(report.streams.map(({ stream, written }) => [stream, written])).toEqual([
    ["tickets", 1_204],
    ["contacts", 317],
  ]);
  const keys = await publishedKeys();
  for (const from of [`${path}/summary`, `${sandbox}/imports/migration_completed/report/summary`]) {
    const { status, json } = await api.ask({ path: from, token: acme.token });
    expect(status).toBe(200);
    expect(isGenuine(json as Signed, keys)).toBe(false);
  }
});

test("the sandbox has a report for each status that has one, else 409", async () => {
  const { token } = await api.partner();
  const ask = (code: string) => api.ask({ path: `${sandbox}/imports/${code}/report`, token });
  expect((await ask("collecting_credentials")).status).toBe(409);
  expect((await ask("sample_completed")).json).toMatchObject({ run: { kind: "sample" }, undone: false });
  expect((await ask("migration_completed")).json).toMatchObject({ run: { kind: "full" }, adds_up: true });
  expect((await ask("migration_cleaned")).json).toMatchObject({ undone: true });
  expect((await ask("imp_nothing")).status).toBe(404);
});

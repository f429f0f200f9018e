import { isDeepStrictEqual } from "node:util";
import type { FamilyRecord, FieldChange } from "@portage/connector-kit";
import { createPlainTransport, createTestIo } from "@portage/connector-kit/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Copied, copyRecords, type Side, targetOf } from "../../test/tools/copy-records.ts";
import { type RedmineApi, redmineApi } from "../../test/tools/redmine/redmine-api.ts";
import { type RedmineServer, startRedmine } from "../../test/tools/redmine/redmine-server.ts";
import { startSeededRedmine } from "../../test/tools/redmine/seeded-redmine.ts";
import { redmine } from "./index.ts";
import { type Settings, settings } from "./settings.ts";

let from: RedmineServer;
let to: RedmineServer;
let copy: Awaited<ReturnType<typeof copyRecords>>;
let api: RedmineApi;
let mailsBefore = 0;
const transport = createPlainTransport();

const sideOf = (server: RedmineServer): Side<Settings> => ({
  connector: redmine,
  io: () =>
    createTestIo({
      manifest: redmine.manifest,
      settings: settings.parse({ instanceUrl: server.url, token: server.adminKey }),
      transport,
    }),
});

const keyOf = (stream: string, id: string) =>
  `rt-${stream.toLowerCase()}-${Buffer.from(id).toString("hex").slice(-40)}`;

beforeAll(async () => {
  [from, to] = await Promise.all([startSeededRedmine(), startRedmine()]);
  api = redmineApi(to);
  mailsBefore = to.mailedTo().length;
  copy = await copyRecords(sideOf(from), sideOf(to), "projects", keyOf);
});

afterAll(async () => {
  await transport.close();
  await from?.stop();
  await to?.stop();
});

const written = () =>
  copy.copied.filter(
    (one): one is Copied & { outcome: { kind: "written"; id: string; changes?: FieldChange[] } } =>
      one.outcome.kind === "written",
  );

/** In the same order, in batches of one stream, as the engine reads and removes copies. */
const inBatches = <T extends { readonly stream: string }>(all: readonly T[]): readonly (readonly T[])[] => {
  const batches: T[][] = [];
  for (const one of all) {
    const last = batches.at(-1);
    if (last && last[0]?.stream === one.stream && last.length < 20) last.push(one);
    else batches.push([one]);
  }
  return batches;
};

const declaredOf = ({ stream, outcome }: ReturnType<typeof written>[number]) =>
  new Set(
    [...(outcome.changes ?? []), ...(targetOf(redmine, "projects", stream).drops ?? [])].map(({ field }) =>
      field.startsWith("customFields") ? field : field.replace(/\..*$/, ""),
    ),
  );

const differing = (wanted: FamilyRecord, got: FamilyRecord) =>
  Object.entries(wanted).flatMap(([field, value]): string[] => {
    const has = (got as unknown as Record<string, unknown>)[field];
    if (field === "id" || isDeepStrictEqual(value, has)) return [];
    if (field !== "customFields") return [field];
    return Object.keys(wanted.customFields)
      .filter((key) => !isDeepStrictEqual(wanted.customFields[key], got.customFields[key]))
      .map((key) => `customFields.${key}`);
  });

describe("copying a whole Redmine into an empty one", () => {
  test("writes or matches every record, except those that Redmine's rules refuse", () => {
    const others = copy.copied.filter(
      ({ outcome }) => outcome.kind !== "written" && outcome.kind !== "matched",
    );
    expect(others.map(({ stream, outcome }) => [stream, outcome])).toEqual([]);
    const matched = copy.copied
      .filter(({ outcome }) => outcome.kind === "matched")
      .map(({ stream }) => stream);
    // The administrator has the same address in both.
    expect(matched).toEqual(["users"]);
  });

  test("each copy differs from its record only in declared fields", async () => {
    const undeclared: string[] = [];
    for (const batch of inBatches(written())) {
      const target = targetOf(redmine, "projects", batch[0]?.stream ?? "");
      const copies = await target.read(
        sideOf(to).io(),
        batch.map(({ outcome }) => outcome.id),
      );
      for (const [index, one] of batch.entries()) {
        const got = copies[index];
        // Fields that Redmine changes by itself, such as watchers, prove nothing about the copy.
        const declared = new Set([...declaredOf(one), ...(target.volatileFields ?? [])]);
        const fields = got
          ? differing(one.write.record, got).filter((field) => !declared.has(field))
          : ["gone"];
        if (fields.length > 0) undeclared.push(`${one.stream} ${one.original.id}: ${fields.join(", ")}`);
      }
    }
    expect(undeclared).toEqual([]);
  });

  test("sends no mail, though Redmine mails about every event", () => {
    expect(to.mailedTo().slice(mailsBefore)).toEqual([]);
  });

  test("keeps authors, unless they are locked", () => {
    const lost = written().filter(({ outcome }) => outcome.changes?.some(({ field }) => field === "author"));
    const names = new Set(
      lost.map(({ write }) => (write.record as { author?: { name?: string } }).author?.name),
    );
    // Locked users; and on the administrator's own issues every act as another user would mail the administrator.
    const onOwn = lost.filter(({ stream }) => stream !== "comments");
    expect(
      new Set(onOwn.map(({ write }) => (write.record as { author?: { name?: string } }).author?.name)),
    ).toEqual(new Set(["Gone Former"]));
    expect(names.size).toBeLessThan(7);
  });

  test("keeps private records private", async () => {
    const notes = written().filter(
      ({ stream, original }) =>
        stream === "comments" && (original as { visibility?: string }).visibility === "internal",
    );
    expect(notes.length).toBeGreaterThan(5);
    for (const { outcome } of notes) {
      const [issueId, journalId] = outcome.id.split("-");
      const { issue } = await api.get(`issues/${issueId}.json?include=journals`);
      const journal = issue.journals.find(({ id }: { id: number }) => String(id) === journalId);
      expect(journal.private_notes).toBe(true);
    }
  });

  test("copies files byte for byte", async () => {
    const files = written().filter(({ stream }) => stream === "attachments");
    expect(files.length).toBeGreaterThan(10);
    const sizes = files.map(({ original }) => (original as { size?: number }).size);
    expect(sizes).toContain(0);
    expect(sizes).toContain(5 * 1024 * 1024);
    for (const { original, outcome } of files) {
      const bytes = async (server: RedmineServer, id: string) => {
        const answer = await fetch(`${server.url}/attachments/download/${id.replace(/^.*\//s, "")}`, {
          headers: { "x-redmine-api-key": server.adminKey },
        });
        return Buffer.from(await answer.arrayBuffer());
      };
      expect((await bytes(to, outcome.id)).equals(await bytes(from, original.id))).toBe(true);
    }
  });

  test("creates nothing new when all records are written again", async () => {
    for (const stream of [
      "projects",
      "versions",
      "tasks",
      "relations",
      "comments",
      "timeEntries",
      "wikiPages",
      "attachments",
    ]) {
      const target = targetOf(redmine, "projects", stream);
      const batch = written()
        .filter((one) => one.stream === stream)
        .slice(0, target.batchSize);
      const outcomes = await target.write(
        sideOf(to).io(),
        batch.map(({ write }) => write),
      );
      expect(outcomes).toEqual(batch.map(({ outcome }) => ({ kind: "matched", id: outcome.id })));
    }
  });

  test("removal in reverse order restores the state before the import", async () => {
    for (const batch of inBatches(written().toReversed())) {
      const target = targetOf(redmine, "projects", batch[0]?.stream ?? "");
      const asked = batch.map(({ outcome, write }) => ({ id: outcome.id, key: write.key }));
      const removed = await target.remove?.(sideOf(to).io(), asked);
      expect([batch[0]?.stream, removed]).toEqual([batch[0]?.stream, asked.map(() => ({ kind: "removed" }))]);
    }
    expect((await api.get("issues.json?status_id=*")).total_count).toBe(0);
    expect((await api.get("projects.json")).total_count).toBe(0);
    expect((await api.get("users.json?status=")).users.map(({ login }: { login: string }) => login)).toEqual([
      "admin",
    ]);
    expect(to.mailedTo().slice(mailsBefore)).toEqual([]);
  });
});

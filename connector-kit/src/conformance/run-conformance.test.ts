import { expect, test } from "vitest";
import { z } from "zod";
import type { Connector } from "../connector.ts";
import type { DestinationStream } from "../destination.ts";
import { helpdesk } from "../families/helpdesk.ts";
import type { FamilyStream } from "../families/stream.ts";
import { kitVersion } from "../manifest.ts";
import { createSession } from "./session.ts";
import { conformanceChecks, runConformance, type TestContext, testConformance } from "./run-conformance.ts";

const connector: Connector = {
  manifest: {
    kit: kitVersion,
    name: "files",
    label: "Files",
    families: ["helpdesk"],
    roles: ["source"],
    settings: z.object({}),
    auth: { kind: "none" },
    hosts: () => ({ api: ["https://files.example"] }),
    limits: [],
    concurrency: 1,
    grace: { lateWriteMs: 0, findLagMs: 0 },
  },
  check: async () => ({ signInName: "me", accountName: "mine", accountId: "" }),
  source: { helpdesk: [] },
};

const transport = { send: () => Promise.reject(new Error("It makes no calls.")) };

/** Runs every check as a test of a framework with this context; by name: passed, or why not. */
const runTests = async (contextFor: (skipped: string[]) => TestContext | undefined) => {
  const tests: { readonly name: string; run(context?: TestContext): Promise<void> }[] = [];
  testConformance(
    "Files",
    {
      describe: (_, define) => define(),
      test: (name, run) =>
        void tests.push({
          name: name.replace(/:.*$/s, ""),
          run: (context) => (context ? run(context) : run()),
        }),
    },
    async () => ({ connector, settings: {}, family: "helpdesk", transport }),
  );
  const results = new Map<string, string>();
  for (const { name, run } of tests) {
    const skipped: string[] = [];
    const failed = await run(contextFor(skipped)).then(
      () => null,
      (error: Error) => error.message,
    );
    results.set(name, failed ?? (skipped[0] ? `skipped: ${skipped[0]}` : "passed"));
  }
  return results;
};

test("a check that has nothing to check is shown as skipped, with its reason, never as passed", async () => {
  const results = await runTests((skipped) => ({ skip: (reason) => void skipped.push(reason) }));
  expect([...results.keys()]).toEqual(conformanceChecks.map(({ name }) => name));
  expect(results.get("manifest")).toBe("passed");
  expect(results.get("check")).toBe("accountId is empty.");
  expect(results.get("unauthorized")).toBe("skipped: the connector has no sign-in");
  expect(results.get("disturbed")).toBe("skipped: nothing can disturb the source's rows");
  expect(results.get("refusals")).toBe("skipped: the connector is no destination");
});

test("in a framework that can't skip a running test, such a check fails", async () => {
  const results = await runTests(() => undefined);
  expect(results.get("manifest")).toBe("passed");
  expect(results.get("unauthorized")).toBe("Skipped: the connector has no sign-in.");
  expect(results.get("refusals")).toBe("Skipped: the connector is no destination.");
});

test("a share takes that part of the trials, at least one, and the same with the same seed", () => {
  const trials = Array.from({ length: 20 }, (_, index) => index);
  const withShare = (share: number, seed = 7) =>
    createSession({ connector, settings: {}, family: "helpdesk", transport, share, seed });
  expect(withShare(1).some(trials)).toEqual(trials);
  const chosen = withShare(0.25).some(trials);
  expect(chosen).toHaveLength(5);
  expect(chosen).toEqual(trials.filter((each) => chosen.includes(each)));
  expect(withShare(0.25).some(trials)).toEqual(chosen);
  expect(withShare(0.01).some(trials)).toHaveLength(1);
  // Over many seeds every trial has its turn.
  const taken = new Set(trials.flatMap((seed) => withShare(0.25, seed).some(trials)));
  expect(taken.size).toBeGreaterThan(15);
});

test("a failure among chosen trials names the seed that chooses them again", async () => {
  const subject = { connector, settings: {}, family: "helpdesk" as const, transport, share: 0.5, seed: 11 };
  const failed = (await runConformance(subject)).find(({ name }) => name === "check");
  expect(failed?.why).toBe("accountId is empty. (seed 11)");
});

test("of named checks, only these run, and those that must pass before them", async () => {
  const subject = { connector, settings: {}, family: "helpdesk" as const, transport };
  const named = async (...only: string[]) =>
    (await runConformance({ ...subject, only })).map(({ name }) => name);
  expect(await named("check")).toEqual(["check"]);
  expect(await named("disturbed")).toEqual(["unique-keys", "flat-cursors", "disturbed"]);
});

test("a tool may leave out files of internal records alone, and later writes are of others", async () => {
  const stays = { kind: "rejected", code: "not_private", message: "Everyone would see it." } as const;
  /** A tool without storage, whose ids say who may see a record. */
  const sessionOf = (leavesOut: (parentId: string) => boolean) => {
    const taking = (stream: FamilyStream): DestinationStream => ({
      stream,
      ...(stream.kind === "file" ? { parents: ["comments"] } : {}),
      batchSize: 10,
      idempotency: "lookup",
      guarantees: [],
      find: async () => new Map(),
      read: async (_, ids) => ids.map(() => null),
      write: async (_, batch) =>
        batch.map(({ key, record }) => {
          const { visibility, parent } = record as { visibility?: string; parent?: { id: string } };
          if (parent && leavesOut(parent.id)) return stays;
          return { kind: "written", id: `${visibility}-${key}` };
        }),
    });
    const streams = [helpdesk.tickets, helpdesk.comments, helpdesk.attachments] as FamilyStream[];
    const to: Connector = { ...connector, destination: { helpdesk: streams.map(taking) } };
    return createSession({ connector: to, settings: {}, family: "helpdesk", transport, seed: 1 });
  };
  const outcomesOf = async (session: ReturnType<typeof createSession>) => {
    const written = await session.written("plain");
    const [to, entries = []] = [...written].at(-1) ?? [];
    if (!to) throw new Error("Nothing was written.");
    const later = Array.from({ length: 20 }, () => session.newWrite(to));
    const parents = (await Promise.all(later)).map(
      (write) => (write?.record as { parent?: { id: string } })?.parent,
    );
    return {
      kinds: entries.map(({ outcome }) => outcome?.kind),
      later: new Set(parents.map((parent) => parent?.id.replace(/-.*/s, ""))),
    };
  };
  const all = await outcomesOf(sessionOf(() => false));
  const some = await outcomesOf(sessionOf((parentId) => parentId.startsWith("internal")));
  const none = await outcomesOf(sessionOf(() => true));
  expect(new Set(some.kinds)).toEqual(new Set(["written"]));
  expect(some.kinds.length).toBeLessThan(all.kinds.length);
  expect(none.kinds).toEqual([...some.kinds].map(() => "rejected"));
  expect(some.later).toEqual(new Set(["public"]));
  expect(all.later).toEqual(new Set(["public", "internal"]));
});

test("a check comes after those that it needs", () => {
  const names = conformanceChecks.map(({ name }) => name);
  for (const [index, { after = [] }] of conformanceChecks.entries())
    for (const each of after) expect(names.slice(0, index)).toContain(each);
});

import type { Connector, DestinationStream, Outcome } from "@portage/connector-kit";
import { describe, expect, test } from "vitest";
import { plain, total, useKinds } from "../../../../../test/runs/kinds-fixture.ts";
import { progressOf } from "../progress/progress.ts";

const { given, database, opened } = useKinds();

/** The same tool, which refuses tickets as `codeOf` says; undefined: it takes the record. */
const refusing = (codeOf: (n: number) => string | undefined): Connector & { asked: () => number } => {
  const connector = plain();
  let asked = 0;
  const streams = (connector.destination?.helpdesk ?? []).map((stream): DestinationStream => {
    if (stream.stream.name !== "tickets") return stream;
    return {
      ...stream,
      write: async (io, batch) => {
        const outcomes: Outcome<never>[] = [];
        for (const write of batch) {
          asked += 1;
          const code = codeOf(asked);
          if (code) outcomes.push({ kind: "rejected", code, message: "The tool did not like it." });
          else outcomes.push(...((await stream.write(io, [write])) as Outcome<never>[]));
        }
        return outcomes;
      },
    };
  });
  return { ...connector, destination: { helpdesk: streams }, asked: () => asked };
};

const warningsOf = async (importId: string) =>
  (
    await database().query<{ code: string; stream: string; message: string }>(
      "select code, stream, message from import_warnings where import_id = $1",
      [importId],
    )
  ).rows;
const noticesOf = async (importId: string) =>
  (
    await database().query("select from events where import_id = $1 and type = 'import.attention_required'", [
      importId,
    ])
  ).rows.length;
const progressNow = async (importId: string) =>
  (await progressOf(opened(), [importId])).get(importId)?.progress;

/** 150 tickets. */
describe("a destination that refuses one ticket after another", () => {
  test("pauses the run after a page, with a reason for the customer and the operator", async () => {
    const connector = refusing(() => "forbidden");
    const { one } = await given({ connector });
    await one.run({ type: "full_started" });
    const refused = connector.asked();
    expect(refused).toBeGreaterThanOrEqual(100);
    expect(refused).toBeLessThan(150);
    expect(await one.status()).toBe("migration_in_progress");
    expect(await progressNow(one.importId)).toMatchObject({
      state: "paused",
      refusals: { stream: "tickets", code: "forbidden", count: refused },
    });
    expect(await warningsOf(one.importId)).toEqual([
      {
        code: "action_required",
        stream: "refusals",
        message: expect.stringMatching(
          /^The copy is paused: 1\d\d tickets in a row could not be written with this sign-in\. /,
        ) as unknown,
      },
    ]);
    expect(await noticesOf(one.importId)).toBe(1);
    // Nothing starts it again by itself.
    await database().query("update partitions set due_at = now() - interval '1 hour' where import_id = $1", [
      one.importId,
    ]);
    expect(await one.runs.findOverdue(100)).toEqual([]);
  });

  test("resumed after the cause is corrected, it copies the rest; the refused ones can be retried", async () => {
    let isAllowed = false;
    const connector = refusing(() => (isAllowed ? undefined : "forbidden"));
    const { one, destination } = await given({ connector });
    await one.run({ type: "full_started" });
    isAllowed = true;
    await one.run({ type: "resume_requested" });
    expect(await one.status()).toBe("migration_completed");
    expect(await warningsOf(one.importId)).toEqual([]);
    await one.run({ type: "retry_started", withinWindow: true });
    expect(destination.stats()).toMatchObject({ written: total, duplicates: 0 });
  });

  test("resumed as it is, it goes on without them, and does not ask again at once", async () => {
    const connector = refusing(() => "forbidden");
    const { one } = await given({ connector });
    await one.run({ type: "full_started" });
    await one.run({ type: "resume_requested" });
    expect(await one.status()).toBe("migration_completed");
    expect(connector.asked()).toBe(150);
    expect(await noticesOf(one.importId)).toBe(1);
  });

  test("can be stopped while it rests, and a pause that no one ends stops by itself", async () => {
    const { one } = await given({ connector: refusing(() => "forbidden") });
    await one.run({ type: "full_started" });
    await database().query("update audit set at = at - interval '8 days' where import_id = $1", [
      one.importId,
    ]);
    await one.work(await one.runs.endOverlongWaits());
    expect(await one.status()).toBe("in_preparation");
    expect(await warningsOf(one.importId)).toMatchObject([{ code: "run_stopped" }]);
  });
});

test.each([
  ["a record that is taken in between", (n: number) => (n % 90 === 0 ? undefined : "forbidden")],
  ["another reason in between", (n: number) => (n % 90 === 0 ? "too_large" : "forbidden")],
])("%s shows that single records are refused: no pause", async (_, codeOf) => {
  const { one } = await given({ connector: refusing(codeOf) });
  await one.run({ type: "full_started" });
  expect(await one.status()).toBe("migration_completed");
  expect(await noticesOf(one.importId)).toBe(0);
});

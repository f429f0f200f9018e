import { afterAll, beforeAll, expect, test } from "vitest";
import { createRunsFixture } from "../../../../test/runs/runs-fixture.ts";
import { standInConnector } from "../../../../test/tools/stand-in/connector.ts";
import { startStandIn } from "../../../../test/tools/stand-in/stand-in.ts";

let fixture: Awaited<ReturnType<typeof createRunsFixture>>;
beforeAll(async () => {
  fixture = await createRunsFixture();
});
afterAll(() => fixture.drop());

const counts = {
  users: 5,
  organizations: 4,
  contacts: 30,
  groups: 3,
  tickets: 250,
  comments: 400,
  articles: 10,
  attachments: 40,
};
const total = Object.values(counts).reduce((sum, count) => sum + count, 0);

const connector = standInConnector({ family: "helpdesk", paging: "keyset", settles: "lookup" }) as never;

test("full, then undo: everything is copied once, and all of it is removed again", async () => {
  const source = await startStandIn({ counts, hostile: false, largeText: 100 });
  const destination = await startStandIn({ seed: "destination", upserts: false });
  const one = await fixture.begin({ connector, tool: source }, { connector, tool: destination });
  await one.run({ type: "full_started" });
  expect(await one.status()).toBe("migration_completed");
  expect(destination.stats()).toMatchObject({ written: total, duplicates: 0 });
  await one.run({ type: "undo_started" });
  expect(await one.status()).toBe("migration_cleaned");
  expect(destination.stats()).toMatchObject({ written: 0 });
});

test("what is to be stopped and undone is undone, even if it ends before it is stopped", async () => {
  const source = await startStandIn({ counts: { users: 2, contacts: 3, tickets: 10 }, hostile: false });
  const destination = await startStandIn({ seed: "destination", upserts: false });
  const one = await fixture.begin({ connector, tool: source }, { connector, tool: destination });
  await one.move({ type: "full_started" });
  const chunks = await one.dispatch();
  // The engine is out of reach: the run goes on to its end.
  await one.move({ type: "stop_and_undo_requested" });
  await one.work(chunks);
  expect(await one.status()).toBe("undo_in_progress");
  expect(destination.stats().written).toBeGreaterThan(0);
  await one.work(await one.dispatch());
  expect(await one.status()).toBe("migration_cleaned");
  expect(destination.stats()).toMatchObject({ written: 0 });
});

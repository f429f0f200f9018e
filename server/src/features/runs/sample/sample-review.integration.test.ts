import type { FamilyRecord } from "@portage/connector-kit";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createSampleFixture, sampleCounts as counts } from "../../../../../test/runs/sample-fixture.ts";
import { countSample, listSampleResults } from "../index.ts";

let fixture: Awaited<ReturnType<typeof createSampleFixture>>;
beforeAll(async () => {
  fixture = await createSampleFixture();
});
afterEach(() => fixture.closeTools());
afterAll(() => fixture.drop());

test("the review shows each record of the sample: before, after, what changed and why, and where", async () => {
  const one = await fixture.begin({ hostile: false });
  const odd = { subject: "x".repeat(300), customFields: { rare: "yes" } } as Partial<FamilyRecord>;
  one.source.source.get("tickets")?.update("1", odd);
  await one.run({ type: "sample_started" });
  const sampled = await one.sampled();
  for (const stream of Object.keys(counts)) {
    const results = await one.results(stream);
    expect(results.map(({ sourceId }) => sourceId)).toEqual(
      sampled.filter((each) => each.stream === stream).map(({ id }) => id),
    );
    for (const { state, source, destination, sourceUrl, destinationUrl, sourceId } of results) {
      expect(state).toBe("written");
      expect(source).toEqual(one.source.source.get(stream)?.find(sourceId));
      expect(destination).toEqual(one.destination.written(stream).get(destination?.id ?? "")?.record);
      expect(sourceUrl).toBe(`${one.source.url}/show/${stream}/${sourceId}`);
      expect(destinationUrl).toBe(`${one.destination.url}/show/${stream}/${destination?.id}`);
    }
  }
  const long = (await one.results("tickets")).find(({ sourceId }) => sourceId === "1");
  expect(long?.changes).toEqual([
    { field: "subject", change: "truncated", why: "The stand-in holds 255 characters here." },
  ]);
  expect(long?.covers.length).toBeGreaterThan(0);
  const tickets = (await countSample(fixture.db, one.importId)).filter(({ stream }) => stream === "tickets");
  expect(new Set(tickets.map(({ state }) => state))).toEqual(new Set(["written"]));
  expect(tickets.reduce((sum, { records }) => sum + records, 0)).toBe((await one.results("tickets")).length);
  expect(tickets.reduce((sum, { changed }) => sum + changed, 0)).toBe(1);

  const [first] = await one.results("comments");
  const ticketId = String((first?.source as { ticketId?: string } | undefined)?.ticketId);
  const page = { stream: "comments", of: { stream: "tickets", id: ticketId }, after: null, limit: 1_000 };
  const ofTicket = await listSampleResults(fixture.db, fixture.sealer, one.importId, page);
  expect(
    new Set(ofTicket.results.map(({ source }) => (source as unknown as { ticketId: string }).ticketId)),
  ).toEqual(new Set([ticketId]));
});

test("pages of results follow one another without gap or repetition", async () => {
  const one = await fixture.begin({ counts: { ...counts, comments: 0, attachments: 0 } });
  await one.run({ type: "sample_started" });
  const all = (await one.results("tickets")).map(({ sourceId }) => sourceId);
  const seen: string[] = [];
  let after: string | null = null;
  do {
    const page = await listSampleResults(fixture.db, fixture.sealer, one.importId, {
      stream: "tickets",
      after,
      limit: 7,
    });
    expect(page.results.length).toBeLessThanOrEqual(7);
    seen.push(...page.results.map(({ sourceId }) => sourceId));
    after = page.next;
  } while (after !== null);
  expect(seen).toEqual(all);
});

test("nothing of a record can be read in the database", async () => {
  const one = await fixture.begin({ hostile: false });
  const words = { subject: "zwiebelfisch", status: "quittengelb" };
  for (let id = 1; id <= 330; id += 1)
    one.source.source.get("tickets")?.update(String(id), words as Partial<FamilyRecord>);
  await one.run({ type: "sample_started" });
  expect(JSON.stringify(await one.results("tickets"))).toContain("zwiebelfisch");
  const { rows: tables } = await fixture.db.pool.query<{ name: string }>(
    "select table_name as name from information_schema.columns where column_name = 'import_id' and table_schema = 'public' group by 1",
  );
  expect(tables.length).toBeGreaterThan(8);
  for (const { name } of tables) {
    const { rows } = await fixture.db.pool.query<{ row: string }>(
      `select t::text as row from ${name} t where import_id = $1`,
      [one.importId],
    );
    const hex = (text: string) => Buffer.from(text).toString("hex");
    for (const { row } of rows)
      for (const word of Object.values(words)) {
        expect(row.includes(word), `${name} holds ${word}`).toBe(false);
        expect(row.includes(hex(word)), `${name} holds ${word}`).toBe(false);
      }
  }
});

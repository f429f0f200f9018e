import { type FamilyRecord, helpdesk } from "@portage/connector-kit";
import { expect, onTestFinished, test, vi } from "vitest";
import { memorySource, type Way } from "../../../../../test/runs/memory-source.ts";
import { advanceChoice, beginChoice } from "./advance-choice.ts";
import { sampleBounds } from "./bounds.ts";
import { choosingOf } from "./choosing.ts";
import { allOf, type SourceReader } from "./source-reader.ts";

const many = <R>(count: number, make: (id: string, index: number) => R): readonly R[] =>
  Array.from({ length: count }, (_, index) => make(String(index + 1), index));

const records: Readonly<Record<string, readonly FamilyRecord[]>> = {
  organizations: many(40, (id) => helpdesk.organizations.make({ id, name: `Acme ${id}` })),
  contacts: many(80, (id) => helpdesk.contacts.make({ id, name: `Person ${id}`, organizationId: id })),
  tickets: many(120, (id, index) =>
    helpdesk.tickets.make({
      id,
      subject: `Brake lever ${id}`,
      status: `status ${index % 9}`,
      statusKind: "open",
      organizationId: String(1 + (index % 40)),
    }),
  ),
  comments: many(360, (id, index) =>
    helpdesk.comments.make({
      id,
      ticketId: String(1 + (index % 120)),
      visibility: "public",
      body: { format: "plain", text: "Hello" },
    }),
  ),
};

const choose = async (way: Way) => {
  const { reader, mostAtOnce } = memorySource("helpdesk", records, way);
  const work = beginChoice(1, reader, sampleBounds, []);
  const stages = [choosingOf(work)];
  while (await advanceChoice(work, reader, sampleBounds)) stages.push(choosingOf(work));
  return { stages, mostAtOnce: mostAtOnce() };
};

test.each([
  ["per-parent", 8],
  ["by-parents", 3],
  ["searched", 3],
] as const)("reads at once what does not depend on each other (%s)", async (way, pages) => {
  expect((await choose(way)).mostAtOnce).toBeGreaterThanOrEqual(pages);
});

/** A tool that takes so long for each call, and so many calls at a time. */
const slowed = (reader: SourceReader, { ms, atATime }: { ms: number; atATime: number }): SourceReader => {
  const places = Array.from({ length: atATime }, () => Promise.resolve());
  let calls = 0;
  // Each place takes its calls one after another.
  const slow =
    <A extends readonly unknown[], R>(call: (...given: A) => Promise<R>) =>
    async (...given: A): Promise<R> => {
      const place = calls++ % atATime;
      const turn = places[place]?.then(() => new Promise<void>((resolve) => setTimeout(resolve, ms)));
      places[place] = turn ?? Promise.resolve();
      await turn;
      return call(...given);
    };
  const { page, byIds, byParents, slices } = reader;
  return {
    ...reader,
    page: slow(page),
    byIds: slow(byIds),
    byParents: slow(byParents),
    slices: slow(slices),
  };
};

test.each(["per-parent", "by-parents", "searched"] as const)(
  "120 tickets of a tool that takes 150 ms per call, and four at a time, are through in 20 s (%s)",
  async (way) => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { reader } = memorySource("helpdesk", records, way);
    const slow = slowed(reader, { ms: 150, atATime: 4 });
    const work = beginChoice(1, slow, sampleBounds, []);
    const startedAt = Date.now();
    const choosing = (async () => {
      while (await advanceChoice(work, slow, sampleBounds));
      return Date.now() - startedAt;
    })();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await choosing).toBeLessThan(20_000);
  },
);

test("shows how far it has come: what was compared, then what was chosen, by its title", async () => {
  const { stages } = await choose("per-parent");
  const compared = stages.map(
    ({ looked }) => looked.find(({ stream }) => stream === "tickets")?.records ?? 0,
  );
  expect(compared[0]).toBe(0);
  expect(compared).toEqual(compared.toSorted((a, b) => a - b));
  expect(compared.at(-1)).toBe(120);
  const last = stages.at(-1);
  expect(last?.stage).toBe("gathering");
  expect(last?.picked.length).toBe(sampleBounds.chosen);
  for (const { stream, id, title } of last?.picked ?? [])
    if (stream === "tickets") expect(title).toBe(`Brake lever ${id}`);
  expect(last?.gathered).toBeGreaterThan(sampleBounds.chosen);
});

test("a failed read is thrown only when the others have ended", async () => {
  const ended: string[] = [];
  const slow = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    ended.push("slow");
  };
  await expect(allOf([Promise.reject(new Error("down")), slow()])).rejects.toThrow("down");
  expect(ended).toEqual(["slow"]);
});

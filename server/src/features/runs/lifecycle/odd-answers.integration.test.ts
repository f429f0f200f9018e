import {
  type Connector,
  ConnectorError,
  type DestinationStream,
  type SourceStream,
} from "@portage/connector-kit";
import { expect, test } from "vitest";
import { plain, total, useKinds } from "../../../../../test/runs/kinds-fixture.ts";
import type { ChunkToSend } from "../run.ts";

const { given, database, latestRun } = useKinds();
type One = Awaited<ReturnType<typeof given>>["one"];

const odd = (code = "unexpected_answer") =>
  new ConnectorError({ recovery: "abort", code, message: "Acme Desk gave an unexpected answer: no JSON." });

/** Reads tickets; `next` says what the next reading encounters. */
const reading =
  (next: () => ConnectorError | undefined) =>
  (stream: SourceStream): SourceStream =>
    stream.stream.name === "tickets"
      ? {
          ...stream,
          readPage: async (io, at) => {
            const error = next();
            if (error) throw error;
            return stream.readPage(io, at);
          },
        }
      : stream;

test.each(["unexpected_answer", "unexpected_status", "tls_failed", "too_many_redirects", "undeclared_host"])(
  "one answer of the source that is hardly its own does not end a run: %s",
  async (code) => {
    const errors = [odd(code), odd(code), odd(code)];
    const { one, destination } = await given({ reading: reading(() => errors.pop()) });
    await one.run({ type: "full_started" });
    expect(errors).toEqual([]);
    expect(await one.status()).toBe("migration_completed");
    expect(destination.stats()).toMatchObject({ written: total, duplicates: 0 });
  },
);

test("a write that is answered by a maintenance page is looked up, and not written twice", async () => {
  const connector: Connector = plain();
  let isOdd = true;
  const streams = (connector.destination?.helpdesk ?? []).map((stream): DestinationStream => {
    if (stream.stream.name !== "tickets") return stream;
    return {
      ...stream,
      write: async (...args) => {
        const outcomes = await stream.write(...args);
        if (!isOdd) return outcomes;
        isOdd = false;
        throw odd();
      },
    };
  });
  const { one, destination } = await given({
    connector: { ...connector, destination: { helpdesk: streams } },
  });
  await one.run({ type: "full_started" });
  expect(await one.status()).toBe("migration_completed");
  expect(destination.stats()).toMatchObject({ written: total, duplicates: 0 });
});

const stepOf = async (one: One, chunks: readonly ChunkToSend[]): Promise<readonly ChunkToSend[]> =>
  (
    await Promise.all(
      chunks.map((chunk) => one.runs.workChunk(chunk, { signal: AbortSignal.timeout(60_000) })),
    )
  ).flatMap(({ send }) => send);

/** Steps of a run whose source answers oddly throughout; pretends that it has done so for so long. */
const stepsOf = async (one: One, minutes: number) => {
  let chunks = await one.dispatch();
  for (let n = 0; n < 12 && chunks.length > 0; n += 1) {
    chunks = await stepOf(one, chunks);
    await database().query(
      `update partitions set failing_since = now() - $2 * interval '1 min'
       where import_id = $1 and failing_since is not null`,
      [one.importId, minutes],
    );
  }
  return chunks;
};

test("a source that answers oddly is retried like an outage, with growing pauses, and not for ever", async () => {
  const { one } = await given({ reading: reading(() => odd()) });
  await one.move({ type: "full_started" });
  const [next] = await stepsOf(one, 60);
  expect(next?.delayMs).toBeGreaterThan(30_000);
  expect(await one.status()).toBe("migration_in_progress");
  await database().query(
    "update partitions set failing_since = now() - interval '25 hours' where import_id = $1",
    [one.importId],
  );
  await one.work(await stepOf(one, next ? [next] : []));
  expect(await latestRun(one.importId)).toMatchObject({
    state: "failed",
    failure: { code: "unexpected_answer" },
  });
});

test("a customer who waits for the sample hears of it within minutes", async () => {
  const { one } = await given({ status: "waiting_for_sample", reading: reading(() => odd()) });
  await one.move({ type: "sample_started" });
  const [next] = await stepsOf(one, 9);
  expect(await one.status()).toBe("sample_in_progress");
  await database().query(
    "update partitions set failing_since = now() - interval '11 min' where import_id = $1",
    [one.importId],
  );
  await one.work(await stepOf(one, next ? [next] : []));
  expect(await latestRun(one.importId)).toMatchObject({ state: "failed" });
});

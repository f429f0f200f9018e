import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { families } from "@portage/contract";
import { familyStreams } from "@portage/connector-kit";
import { runConformance, sampleRecords, testConformance } from "@portage/connector-kit/conformance";
import { createPlainTransport, createTestIo } from "@portage/connector-kit/testing";
import { afterAll, describe, expect, test } from "vitest";
import { createCsv } from "./csv.ts";
import type { StoredFile } from "./file-store.ts";
import { memoryFile, memoryStore } from "./testing/folder-store.ts";
import { choiceOf, tableOf } from "./testing/table-of.ts";
import { writeCsv, type Writing } from "./testing/write-csv.ts";
import { writeXlsx } from "./testing/write-xlsx.ts";

const transport = createPlainTransport();
afterAll(() => transport.close());

const countPerStream = 37;

type Write = (rows: readonly (readonly string[])[]) => Buffer;

const subjectOf = (family: (typeof families)[number], write: Write) => {
  const streams = familyStreams[family].filter(({ kind }) => kind !== "file");
  const counts = Object.fromEntries(streams.map(({ name }) => [name, countPerStream]));
  const stored: Record<string, StoredFile> = {};
  const chosen: Record<string, ReturnType<typeof choiceOf>> = {};
  const expected = new Map<string, readonly unknown[]>();
  for (const stream of streams) {
    const { at } = sampleRecords(stream, { seed: "csv", counts, hostile: true, largeText: 20_000 });
    const all = Array.from({ length: countPerStream }, (_, index) => at(index)).filter(
      (each) => each !== null,
    );
    const table = tableOf(stream, all);
    stored[`${stream.name}.file`] = memoryFile(write(table.rows), 5_000);
    chosen[stream.name] = choiceOf(`${stream.name}.file`, table.columns);
    expected.set(stream.name, table.records);
  }
  const connector = createCsv({ files: memoryStore(stored), page: { rows: 8, characters: 1_000_000 } });
  return { connector, settings: { files: chosen, timeZone: "Europe/Berlin" }, family, transport, expected };
};

testConformance("CSV files", { describe, test }, async () => subjectOf("helpdesk", (rows) => writeCsv(rows)));
testConformance("Excel files", { describe, test }, async () =>
  subjectOf("projects", (rows) => writeXlsx(rows)),
);

const writings: readonly Partial<Writing>[] = [
  { delimiter: ",", lineBreak: "\n" },
  { delimiter: ";", lineBreak: "\r\n", encoding: "utf-16le", bom: true },
  { delimiter: "\t", lineBreak: "\r", quoteAll: true },
  { delimiter: "|", lineBreak: "\r\n", encoding: "utf-16be", bom: true },
];

test.each(
  families.flatMap((family, index) => [
    {
      family,
      how: JSON.stringify(writings[index]),
      write: (rows: readonly (readonly string[])[]) => writeCsv(rows, writings[index]),
    },
    { family, how: "Excel", write: writeXlsx },
  ]),
)("every stream of $family reads back equal: $how", async ({ family, write }) => {
  const subject = subjectOf(family, write);
  const results = await runConformance(subject);
  expect(results.filter(({ verdict }) => verdict !== "passed").map(({ name, why }) => [name, why])).toEqual([
    ["unauthorized", "the connector has no sign-in"],
    ["rate-limited", "the connector has no sign-in"],
    ["secrets", "it has no secret settings"],
    ["disturbed", "nothing can disturb the source's rows"],
  ]);
  const io = createTestIo({ manifest: subject.connector.manifest, settings: subject.settings, transport });
  for (const source of subject.connector.source?.[family] ?? []) {
    const records: unknown[] = [];
    for (let cursor = null; ; ) {
      const page = await source.readPage(io, { cursor, since: null, parentId: null });
      expect(page.unreadable ?? []).toEqual([]);
      records.push(...page.records);
      if (page.next === null) break;
      cursor = page.next as never;
    }
    expect(records, source.stream.name).toEqual(subject.expected.get(source.stream.name));
    expect(records.length).toBeGreaterThan(10);
  }
});

test("the suite fails a connector without sign-in that makes calls", async () => {
  const server = createServer((_, response) => response.end("{}"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { connector, ...subject } = subjectOf("helpdesk", (rows) => writeCsv(rows));
  const caller = {
    ...connector,
    manifest: { ...connector.manifest, hosts: () => ({ api: [url] as const }) },
    check: async (io: Parameters<typeof connector.check>[0]) => {
      await io.http.send({ url });
      return connector.check(io);
    },
  };
  const results = await runConformance({ ...subject, connector: caller });
  server.close();
  expect(results.filter(({ verdict }) => verdict === "failed").map(({ name }) => name)).toEqual(["hosts"]);
});

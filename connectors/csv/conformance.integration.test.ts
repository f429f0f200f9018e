import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { families, type Family } from "@portage/contract";
import { runConformance } from "@portage/connector-kit/conformance";
import { createPlainTransport, createTestIo } from "@portage/connector-kit/testing";
import { afterAll, expect, test } from "vitest";
import { testSuite } from "../../test/suites/test-suite.ts";
import { suite } from "../../test/suites/tools/csv.ts";
import { filesOf, type WriteFile } from "./testing/subject.ts";
import { writeCsv, type Writing } from "./testing/write-csv.ts";
import { writeXlsx } from "./testing/write-xlsx.ts";

const transport = createPlainTransport();
afterAll(() => transport.close());

const subjectOf = (family: Family, write: WriteFile) => ({ ...filesOf(family, write), transport });

testSuite(suite);

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
    ["ids", "no stream returns ids without their records"],
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

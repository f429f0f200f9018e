// A destination that was written before families got further fields and streams: Ferry Desk behind a transport that knows only
// their first version, and refuses what it does not know.
import type { Transport } from "@portage/connector-kit/http";
import { createPlainTransport } from "@portage/connector-kit/testing";
import { afterAll, expect, test } from "vitest";
import { firstVersion } from "../../../connector-kit/src/families/first-version.ts";
import { checkDestination } from "../../../connectors/destination-protocol/check/check-destination.ts";
import { secret, startDesk } from "./running-desk.ts";

const plain = createPlainTransport();
const desk = await startDesk();
afterAll(async () => {
  await desk.close();
  await plain.close();
});

const ofEveryRecord = ["id", "createdAt", "updatedAt", "tags", "customFields"];
const knownFields = (stream: string) => [...ofEveryRecord, ...(firstVersion.helpdesk[stream] ?? [])];

const refused: string[] = [];

type Fields = Record<string, unknown>;

/** Only what an implementation of the first version would say. */
const asBefore = (answer: Fields, stream: string): Fields => {
  const known = (record: Fields | null | undefined) =>
    record &&
    Object.fromEntries(Object.entries(record).filter(([name]) => knownFields(stream).includes(name)));
  const { families, records, outcomes } = answer as {
    families?: { streams: Fields[] }[];
    records?: (Fields | null)[];
    outcomes?: Fields[];
  };
  return {
    ...answer,
    ...(families && {
      families: families.map((family) => ({
        ...family,
        streams: family.streams
          .filter(({ name }) => String(name) in firstVersion.helpdesk)
          .map(({ addedFields: _, ...stays }) => stays),
      })),
    }),
    ...(records && { records: records.map(known) }),
    ...(outcomes && {
      outcomes: outcomes.map((each) => ({
        ...each,
        ...("record" in each ? { record: known(each.record as Fields) } : {}),
      })),
    }),
  };
};

/** The probes also send what is no JSON. */
const fieldsIn = (body: unknown): Fields => {
  try {
    return JSON.parse(String(body)) as Fields;
  } catch {
    return {};
  }
};

const earlier: Transport = {
  async send(request) {
    const body = fieldsIn(request.body);
    const stream = String(body.stream);
    for (const { record } of (body.items ?? []) as { record?: Fields }[])
      refused.push(...Object.keys(record ?? {}).filter((name) => !knownFields(stream).includes(name)));
    const answer = await plain.send(request);
    if (answer.status !== 200 || request.url.endsWith("/open")) return answer;
    const chunks: Uint8Array[] = [];
    for await (const chunk of answer.body) chunks.push(chunk);
    const said = asBefore(JSON.parse(Buffer.concat(chunks).toString()) as Fields, stream);
    return {
      ...answer,
      headers: { "content-type": "application/json" },
      body: (async function* () {
        yield Buffer.from(JSON.stringify(said));
      })(),
    };
  },
};

test("a destination of the first version passes every check, and meets no field that it does not know", async () => {
  const results = await checkDestination({ url: desk.url, secret, transport: earlier });
  expect(results.filter(({ verdict }) => verdict === "failed")).toEqual([]);
  expect(results.map(({ name }) => name)).toEqual(expect.arrayContaining(["helpdesk/read-back", "clean-up"]));
  expect(refused).toEqual([]);
});

import {
  type ConnectorError,
  type DestinationStream,
  type FamilyRecord,
  helpdesk,
} from "@portage/connector-kit";
import type { Transport, TransportRequest } from "@portage/connector-kit/http";
import { createTestIo } from "@portage/connector-kit/testing";
import { uploadHeader } from "@portage/contract/destination-protocol";
import { expect, test } from "vitest";
import { destinationProtocol } from "./index.ts";
import type { Settings } from "./settings.ts";

interface Answer {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly json: unknown;
}

const seen: TransportRequest[] = [];

const answering = (answer: (body: Record<string, unknown>, count: number) => Answer): Transport => {
  let count = 0;
  return {
    async send(request) {
      seen.push(request);
      count += 1;
      const sent = request.body;
      if (sent && typeof sent !== "string") for await (const _ of sent as AsyncIterable<Uint8Array>);
      const body = typeof sent === "string" ? (JSON.parse(sent) as Record<string, unknown>) : {};
      const { status = 200, headers = {}, json } = answer(body, count);
      const bytes = (async function* () {
        yield Buffer.from(JSON.stringify(json));
      })();
      return { status, headers, url: request.url, body: bytes };
    },
  };
};

const token = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;

const ioWith = (transport: Transport) =>
  createTestIo({
    manifest: destinationProtocol.manifest,
    settings: { instanceUrl: "https://desk.example/portage", token },
    transport,
    retry: { attempts: 2, firstDelayMs: 1 },
  });

const streamOf = (name: string) =>
  destinationProtocol.destination?.helpdesk?.find(({ stream }) => stream.name === name) as DestinationStream<
    FamilyRecord,
    Settings
  >;
const groups = streamOf("groups");

const write = (key: string) => ({ key, id: null, record: helpdesk.groups.make({ id: key, name: key }) });

const failure = async (work: Promise<unknown>): Promise<ConnectorError> =>
  work.then(
    () => {
      throw new Error("It did not fail.");
    },
    (error: ConnectorError) => error,
  );

const written = (key: string, id: string) => ({ key, kind: "written", id });

test.each([
  [418, "abort", false],
  [409, "retry", false],
  [422, "skip-record", true],
] as const)("keeps the message of a %i only if it is about one record", async (status, recovery, kept) => {
  const json = { error: { code: "odd", message: "No place for “Kim's pay slip”." } };
  const error = await failure(
    groups.find(ioWith(answering(() => ({ status, json }))), [{ key: "a", since: new Date(0) }]),
  );
  expect(error.recovery).toBe(recovery);
  expect(error.message.includes("pay slip")).toBe(kept);
});

test.each([
  ["one too few", [written("a", "1")]],
  ["another order", [written("b", "2"), written("a", "1")]],
])("answers with %s stop the run instead of assigning ids to the wrong records", async (_, outcomes) => {
  const io = ioWith(answering(() => ({ json: { outcomes } })));
  const error = await failure(groups.write(io, [write("a"), write("b")]));
  expect(error).toMatchObject({ recovery: "abort", code: "unexpected_answer" });
});

test("a read that returns another record stops the run", async () => {
  const io = ioWith(answering(() => ({ json: { records: [{ id: "2", name: "x" }] } })));
  expect(await failure(groups.read(io, ["1"]))).toMatchObject({ code: "unexpected_answer" });
});

test("a failing destination makes its writes unknown, never failed", async () => {
  const io = ioWith(answering(() => ({ status: 500, json: {} })));
  expect(await groups.write(io, [write("a")])).toMatchObject([{ kind: "unknown" }]);
});

test("an answer that can't be read makes a new record unknown: the destination took it", async () => {
  const tooLarge: Transport = {
    send: () =>
      Promise.reject(Object.assign(new Error("Too large."), { code: "too_large", mayHaveArrived: true })),
  };
  expect(await groups.write(ioWith(tooLarge), [write("a")])).toMatchObject([{ kind: "unknown" }]);
  const known = { ...write("a"), id: "1" };
  expect(await groups.write(ioWith(tooLarge), [known])).toMatchObject([{ kind: "rejected" }]);
});

test("409 and 429 concern the whole batch and keep their delay", async () => {
  const busy = ioWith(answering(() => ({ status: 409, headers: { "retry-after": "9" }, json: {} })));
  expect(await failure(groups.write(busy, [write("a")]))).toMatchObject({
    recovery: "retry",
    code: "busy",
    retryAfterMs: 9_000,
  });
  const fast = ioWith(answering(() => ({ status: 429, headers: { "retry-after": "70" }, json: {} })));
  expect(await failure(groups.write(fast, [write("a")]))).toMatchObject({ retryAfterMs: 70_000 });
});

test("when the destination refuses a batch because of one record, it still gets the others", async () => {
  const io = ioWith(
    answering(({ items }) => {
      const keys = (items as { key: string }[]).map(({ key }) => key);
      if (keys.includes("c"))
        return { status: 422, json: { error: { code: "invalid", message: "The name is taken." } } };
      return { json: { outcomes: keys.map((key) => written(key, `id-${key}`)) } };
    }),
  );
  const outcomes = await groups.write(io, ["a", "b", "c", "d", "e"].map(write));
  expect(outcomes.map((each) => ("id" in each ? each.id : each.kind))).toEqual([
    "id-a",
    "id-b",
    "rejected",
    "id-d",
    "id-e",
  ]);
  expect(outcomes[2]).toMatchObject({ message: expect.stringContaining("The name is taken.") });
});

test("drops an invalid record from an answer, and the write still counts", async () => {
  const outcome = { ...written("a", "1"), record: { id: "1" } };
  const io = ioWith(answering(() => ({ json: { outcomes: [outcome] } })));
  expect(await groups.write(io, [write("a")])).toEqual([{ kind: "written", id: "1" }]);
});

test("ignores keys in an answer that the caller did not ask for", async () => {
  const found = [
    { key: "a", ids: ["1", "2"] },
    { key: "z", ids: ["9"] },
  ];
  const io = ioWith(answering(() => ({ json: { found } })));
  const map = await groups.find(io, [{ key: "a", since: new Date(0) }]);
  expect([...map]).toEqual([["a", ["1", "2"]]]);
});

test("does not write a file whose bytes arrive changed", async () => {
  const io = ioWith(answering(() => ({ json: { size: 3, sha256: "0".repeat(64) } })));
  const file = {
    name: "a",
    contentType: "text/plain",
    size: 3,
    async *open() {
      yield Buffer.from("abc");
    },
  };
  const record = helpdesk.attachments.make({
    id: "1",
    parent: { stream: "tickets", id: "1" },
    fileName: "a",
    contentType: "text/plain",
  });
  seen.length = 0;
  const outcomes = await streamOf("attachments").write(io, [{ key: "a", id: null, record, file }]);
  expect(outcomes).toMatchObject([{ kind: "rejected", code: "file_damaged" }]);
  expect(seen.map(({ url }) => url)).toEqual(["https://desk.example/portage/files"]);
  const statement = JSON.parse(
    Buffer.from(seen[0]?.headers[uploadHeader] ?? "", "base64url").toString(),
  ) as object;
  expect(statement).toMatchObject({ call: "upload", key: "a", size: 3, timestamp: expect.any(Number) });
});

test("every attempt has its own id and time", async () => {
  seen.length = 0;
  const io = ioWith(
    answering((_, count) => (count === 1 ? { status: 503, json: {} } : { json: { found: [] } })),
  );
  await groups.find(io, [{ key: "a", since: new Date(0) }]);
  expect(seen).toHaveLength(2);
  expect(new Set(seen.map(({ headers }) => headers["webhook-id"])).size).toBe(2);
  for (const { headers } of seen) expect(headers["x-authorization-content-sha256"]).toMatch(/^[0-9a-f]{64}$/);
});

const description = (stream: object) => ({
  protocol: 1,
  tool: { name: "Desk", accountName: "Acme", accountId: "7" },
  families: [{ family: "helpdesk", streams: [{ name: "tickets", ...stream }, { name: "not-ours" }] }],
});

test("offers the streams that the destination describes", async () => {
  const stream = {
    duties: ["silent"],
    drops: [{ field: "channel", change: "cleared", why: "No such field." }],
    removes: false,
    url: "https://desk.example/t/{id}?in={parentId}",
  };
  const offered = await destinationProtocol.offers?.(
    ioWith(answering(() => ({ json: description(stream) }))),
  );
  expect(Object.keys(offered ?? {})).toEqual(["helpdesk"]);
  const [tickets, ...others] = offered?.helpdesk ?? [];
  expect(others).toEqual([]);
  expect(tickets).toMatchObject({
    guarantees: ["silent"],
    drops: stream.drops,
    batchSize: 100,
    idempotency: "upsert",
  });
  expect(tickets?.remove).toBeUndefined();
  const settings = { instanceUrl: "https://desk.example", token };
  expect(tickets?.urlOf?.(settings, { id: "a/b?", parentId: "p" })).toBe(
    "https://desk.example/t/a%2Fb%3F?in=p",
  );
});

test("refuses a URL that is not http or https", async () => {
  const io = ioWith(answering(() => ({ json: description({ url: "javascript:alert(1)//{id}" }) })));
  expect(await failure(destinationProtocol.check(io))).toMatchObject({
    recovery: "reauthorize",
    setting: "instanceUrl",
  });
});

test("reads people page by page and stops at a cursor loop", async () => {
  const users = streamOf("users");
  const person = (id: string) => ({ id, name: id });
  const io = ioWith(
    answering((body) => ({
      json: {
        ...description({}),
        people: [person(body.peopleAfter === null ? "1" : "2")],
        peopleNext: "again",
      },
    })),
  );
  const people = await users.people?.(io);
  expect(people?.map(({ id }) => id)).toEqual(["1", "2"]);
});

test("lists the options that a destination describes by stream; a stream without options accepts any", async () => {
  const status = [{ value: "open", label: "Open" }];
  const described = {
    protocol: 1,
    tool: { name: "Desk", accountName: "Acme", accountId: "1" },
    families: [{ family: "helpdesk", streams: [{ name: "tickets", options: { status } }] }],
  };
  const io = ioWith(answering(() => ({ json: described })));
  expect(await streamOf("tickets").options?.(io)).toEqual({ status });
  expect(await groups.options?.(io)).toEqual({});
});

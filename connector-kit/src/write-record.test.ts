import { expect, test } from "vitest";
import { ConnectorError, outcomeUnknown, type Recovery } from "./errors.ts";
import type { Http, HttpRequest, HttpResponse, Io } from "./io.ts";
import { removeRecord, writeRecord } from "./write-record.ts";

const failure = (recovery: Recovery, code: string, status?: number) =>
  new ConnectorError({ recovery, code, message: "It failed.", ...(status ? { status } : {}) });

const failing = (error: Error) => async () => {
  throw error;
};

/** Answers each request in turn with a status, or throws. */
const ioWith = (...answers: readonly (number | Error)[]): Io => {
  const left = [...answers];
  const send = async (): Promise<HttpResponse> => {
    const answer = left.shift();
    if (answer instanceof Error) throw answer;
    return { status: answer ?? 200, headers: {}, url: "", text: "", json: () => ({}) as never };
  };
  const http: Http = { send, download: send as never };
  return { http, settings: {}, signal: new AbortController().signal, scope: {} };
};

const isNew = { id: null };
const post: HttpRequest = { url: "tickets", method: "POST" };
const put: HttpRequest = { url: "tickets/1", method: "PUT" };
const search: HttpRequest = { url: "search", method: "POST", reads: true };
const refused = failure("skip-record", "forbidden", 403);

const sending =
  (...requests: readonly HttpRequest[]) =>
  async (io: Io) => {
    for (const request of requests) await io.http.send(request);
    return { kind: "written", id: "1" } as const;
  };

test("an error that concerns one record becomes its outcome", async () => {
  expect(await writeRecord(ioWith(), isNew, sending(post, put))).toEqual({ kind: "written", id: "1" });
  const rejected = { kind: "rejected", code: "too_long", message: "It failed." };
  expect(await writeRecord(ioWith(), isNew, failing(failure("skip-record", "too_long")))).toEqual(rejected);
  const unknown = { kind: "unknown", why: "It failed." };
  expect(await writeRecord(ioWith(), isNew, failing(failure("retry", outcomeUnknown)))).toEqual(unknown);
});

test("a refusal before any effect is rejected, whatever was read before", async () => {
  const rejected = { kind: "rejected", code: "forbidden", message: "It failed." };
  expect(await writeRecord(ioWith(refused), isNew, sending(post))).toEqual(rejected);
  const get: HttpRequest = { url: "statuses" };
  expect(await writeRecord(ioWith(200, 200, refused), isNew, sending(get, search, post))).toEqual(rejected);
});

test("a refusal after an effect is unknown", async () => {
  const unknown = { kind: "unknown", why: "It failed." };
  expect(await writeRecord(ioWith(201, refused), isNew, sending(post, put))).toEqual(unknown);
  // A status that the connector accepts itself.
  const accepting = async (io: Io) => {
    await io.http.send({ ...post, accept: [302] });
    throw refused;
  };
  expect(await writeRecord(ioWith(302), isNew, accepting)).toEqual(unknown);
});

test("a connector that goes on after a refusal or an outage of a request is judged by what may have happened", async () => {
  const goingOn = async (io: Io) => {
    await io.http.send(post).catch(() => {});
    throw refused;
  };
  expect((await writeRecord(ioWith(refused), isNew, goingOn)).kind).toBe("rejected");
  for (const error of [failure("retry", outcomeUnknown, 500), failure("retry", "timed_out"), new Error("x")])
    expect((await writeRecord(ioWith(error), isNew, goingOn)).kind).toBe("unknown");
});

test("a refusal after auxiliary requests is rejected: they create no record", async () => {
  const upload: HttpRequest = { url: "uploads", method: "POST", auxiliary: true };
  expect((await writeRecord(ioWith(201, refused), isNew, sending(upload, post))).kind).toBe("rejected");
  expect((await writeRecord(ioWith(201, 201, refused), isNew, sending(upload, post, put))).kind).toBe(
    "unknown",
  );
});

test("a refused change of a known copy is rejected: the copy can't be lost", async () => {
  const rejected = { kind: "rejected", code: "forbidden", message: "It failed." };
  expect(await writeRecord(ioWith(200, refused), { id: "1" }, sending(put, put))).toEqual(rejected);
});

test("a removal that the tool refuses keeps the record", async () => {
  const removed = { kind: "removed" } as const;
  expect(await removeRecord(async () => removed)).toBe(removed);
  const kept = { kind: "kept", code: "closed", message: "It failed." };
  expect(await removeRecord(failing(failure("skip-record", "closed")))).toEqual(kept);
  const unknown = { kind: "unknown", why: "It failed." };
  expect(await removeRecord(failing(failure("retry", outcomeUnknown)))).toEqual(unknown);
});

test("an error that concerns the whole batch, and any other error, is thrown on", async () => {
  const busy = failure("retry", "busy");
  await expect(writeRecord(ioWith(), isNew, failing(busy))).rejects.toBe(busy);
  await expect(removeRecord(failing(failure("reauthorize", "refused")))).rejects.toMatchObject({
    code: "refused",
  });
  const mistake = new TypeError("x is not a function");
  await expect(writeRecord(ioWith(), isNew, failing(mistake))).rejects.toBe(mistake);
});

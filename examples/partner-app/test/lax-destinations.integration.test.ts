// Tests every probe with a destination that has exactly that fault: Ferry Desk behind a transport that adds it.
import type { CheckResult } from "@portage/connector-kit/conformance";
import type { Transport, TransportRequest } from "@portage/connector-kit/http";
import { createPlainTransport } from "@portage/connector-kit/testing";
import { uploadHeader } from "@portage/contract/destination-protocol";
import { signatureHeaders } from "@portage/contract/signing";
import { afterAll, expect, test } from "vitest";
import { checkDestination } from "../../../connectors/destination-protocol/check/check-destination.ts";
import { probeDestination } from "../../../connectors/destination-protocol/check/probe-destination.ts";
import { reach } from "../../../connectors/destination-protocol/check/reach.ts";
import { secret, startDesk } from "./running-desk.ts";

const plain = createPlainTransport();
const desk = await startDesk();
afterAll(async () => {
  await desk.close();
  await plain.close();
});

const probe = async (
  transport: Transport,
  extraStream?: string,
  extraField?: string,
): Promise<readonly string[]> => {
  const { reached } = await reach({ url: desk.url, secret, transport: plain });
  if (!reached) throw new Error("The desk can't be reached.");
  const [family] = reached.description.families;
  const [stream] = family?.streams ?? [];
  if (extraStream && stream) family?.streams.push({ ...stream, name: extraStream });
  if (extraField) stream?.addedFields.push(extraField);
  const results: CheckResult[] = [];
  await probeDestination(reached, transport, (result) => results.push(result));
  return results.filter(({ verdict }) => verdict === "failed").map(({ name }) => name);
};

const textOf = ({ body }: TransportRequest) => (typeof body === "string" ? body : "");

let calls = 0;

/** Signs any request anew, for the called path and the current time. */
const resigned = (request: TransportRequest, change: (body: Record<string, unknown>) => object) => {
  const statement = request.headers[uploadHeader];
  const now = Date.now();
  const text = statement ? Buffer.from(statement, "base64url").toString() : textOf(request);
  let content = text;
  try {
    content = JSON.stringify(change(JSON.parse(text) as Record<string, unknown>));
  } catch {
    // not JSON: unchanged
  }
  const id = `mutant_${(calls += 1)}`;
  return {
    ...request,
    headers: {
      ...request.headers,
      ...(statement && { [uploadHeader]: Buffer.from(content).toString("base64url") }),
      ...signatureHeaders({ secrets: [secret], id, timestampSeconds: Math.floor(now / 1000), content }),
    },
    body: statement ? (request.body ?? null) : content,
  };
};

const callOf = ({ url }: TransportRequest) =>
  url.endsWith("/files") ? "upload" : (url.split("/").at(-1) ?? "");

const answering = (from: number, to: number): Transport => ({
  async send(request) {
    const answer = await plain.send(request);
    return answer.status === from ? { ...answer, status: to } : answer;
  },
});

test("the unchanged desk fails no probe", async () => {
  expect(await probe(plain)).toEqual([]);
});

test("detects a destination that checks no signature, time, id or call", async () => {
  const careless: Transport = {
    send: (request) =>
      plain.send(resigned(request, (body) => ({ ...body, call: callOf(request), timestamp: Date.now() }))),
  };
  expect(await probe(careless)).toEqual([
    "unsigned",
    "wrong-secret",
    "tampered",
    "too-old",
    "too-early",
    "replayed",
    "other-call",
    "tampered-upload",
  ]);
});

test("detects a refusal with a wrong status", async () => {
  expect(await probe(answering(404, 200))).toEqual(["unknown-stream"]);
  expect(await probe(answering(422, 200))).toEqual(["bad-form"]);
  expect(await probe(answering(400, 500))).toEqual(["no-json"]);
});

test("detects a destination that creates a record for every call", async () => {
  const doubling: Transport = {
    send: (request) =>
      request.url.endsWith("/write")
        ? plain.send(
            resigned(request, (body) => ({
              ...body,
              items: (body.items as { key: string; file?: object }[] | undefined)?.map((item) =>
                item.file ? item : { ...item, key: `${item.key.slice(0, 30)}${(calls += 1)}` },
              ),
            })),
          )
        : plain.send(request),
  };
  expect(await probe(doubling)).toEqual(["at-once"]);
});

test("detects a destination that accepts any bytes", async () => {
  const right = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
  const trusting: Transport = {
    send: (request) =>
      request.url.endsWith("/write") && textOf(request).includes("sha256")
        ? plain.send(
            resigned(request, (body) => ({
              ...body,
              items: (body.items as object[]).map((item) => ({ ...item, file: { size: 3, sha256: right } })),
            })),
          )
        : plain.send(request),
  };
  expect(await probe(trusting)).toEqual(["other-bytes"]);
});

test("detects a stream that no family has", async () => {
  expect(await probe(plain, "gadgets")).toEqual(["described-streams"]);
});

test("detects a field that the stream did not get", async () => {
  expect(await probe(plain, undefined, "shoeSize")).toEqual(["described-fields"]);
});

test("reports records that the check can't remove", async () => {
  const keeping: Transport = {
    async send(request) {
      if (!request.url.endsWith("/remove")) return plain.send(request);
      const { items } = JSON.parse(textOf(request)) as { items: { id: string }[] };
      const results = items.map(({ id }) => ({ id, kind: "kept", code: "no", message: "No." }));
      const body = (async function* () {
        yield Buffer.from(JSON.stringify({ results }));
      })();
      return { status: 200, headers: {}, url: request.url, body };
    },
  };
  const results = await checkDestination({ url: desk.url, secret, transport: keeping });
  const failed = results.filter(({ verdict }) => verdict === "failed").map(({ name }) => name);
  expect(failed).toEqual(["helpdesk/remove", "clean-up"]);
});

test("a wrong secret or address ends the check at once, with the reason", async () => {
  const check = (url: string, given: string) => checkDestination({ url, secret: given, transport: plain });
  expect(await check(desk.url, secret.replace("Zm", "Zn"))).toMatchObject([
    { name: "describe", verdict: "failed", why: "The destination does not accept this secret." },
  ]);
  expect(await check(desk.pages, secret)).toMatchObject([
    { verdict: "failed", why: expect.stringContaining("does not speak the destination protocol") },
  ]);
  expect(await check("nonsense", secret)).toMatchObject([{ verdict: "failed" }]);
});

import { expect, test } from "vitest";
import { createClient } from "./client.ts";

interface SentRequest {
  readonly path: string;
  readonly method: string | undefined;
  readonly csrf: string | null;
}

const answer = (status: number, body?: unknown) =>
  new Response(body === undefined ? null : JSON.stringify(body), { status });

const clientWith = (answers: (sent: SentRequest) => Response | Error, onExpired = () => {}) => {
  const asked: SentRequest[] = [];
  const client = createClient({
    importId: "imp_1",
    onExpired,
    fetch: async (input, init) => {
      const sent = {
        path: typeof input === "string" ? input : "",
        method: init?.method,
        csrf: new Headers(init?.headers).get("x-portage-csrf"),
      };
      asked.push(sent);
      const given = answers(sent);
      if (given instanceof Error) throw given;
      return given;
    },
  });
  return { client, asked };
};

test("mutations carry the CSRF token from the import, GET requests do not", async () => {
  const { client, asked } = clientWith(({ method }) =>
    method === "GET" ? answer(200, { csrf: "c1" }) : answer(200, { done: true }),
  );
  await client.requestImport();
  expect(await client.request("/runs", { method: "POST", body: { kind: "sample" } })).toEqual({
    kind: "ok",
    value: { done: true },
  });
  expect(asked.map(({ path, csrf }) => [path, csrf])).toEqual([
    ["/wizard/api/imports/imp_1", null],
    ["/wizard/api/imports/imp_1/runs", "c1"],
  ]);
});

test("an outdated CSRF token is refreshed once", async () => {
  let current = "c1";
  const { client, asked } = clientWith(({ method, csrf }) => {
    if (method === "GET") return answer(200, { csrf: current });
    return csrf === "c2" ? answer(200) : answer(403, { error: { message: "Out of date." } });
  });
  await client.requestImport();
  current = "c2";
  expect((await client.request("/runs", { method: "POST" })).kind).toBe("ok");
  current = "c2";
  expect(asked.filter(({ method }) => method === "POST").map(({ csrf }) => csrf)).toEqual(["c1", "c2"]);
  const { client: other, asked: others } = clientWith(({ method }) =>
    method === "GET" ? answer(200, { csrf: "" }) : answer(403, { error: { message: "Not by this link." } }),
  );
  expect(await other.request("/runs", { method: "POST" })).toEqual({
    kind: "forbidden",
    message: "Not by this link.",
  });
  expect(others.filter(({ method }) => method === "POST")).toHaveLength(1);
});

test.each([
  [
    answer(409, { error: { message: "Busy." }, current: 7 }),
    { kind: "refused", message: "Busy.", current: 7 },
  ],
  [answer(404, { error: { message: "None yet." } }), { kind: "gone", message: "None yet." }],
  [
    answer(422, { token: ["can't be blank"] }),
    { kind: "invalid", errors: { token: ["can't be blank"] }, body: { token: ["can't be blank"] } },
  ],
  [answer(503, { error: { message: "Wait." } }), { kind: "refused", message: "Wait." }],
  [
    answer(503, { error: { message: "Down." }, side: "source" }),
    { kind: "refused", message: "Down.", side: "source" },
  ],
  [answer(502), { kind: "offline" }],
  [answer(500, { error: { request_id: "r1" } }), { kind: "unexpected", requestId: "r1" }],
  [new Response("<html>", { status: 200 }), { kind: "offline" }],
  [new TypeError("Failed to fetch"), { kind: "offline" }],
])("returns expected errors as values: %#", async (given, problem) => {
  const { client } = clientWith(() => given);
  expect(await client.request("/report")).toEqual(problem);
});

test("an expired session also calls onExpired", async () => {
  let expired = 0;
  const { client } = clientWith(
    () => answer(401),
    () => {
      expired += 1;
    },
  );
  expect(await client.request("/report")).toEqual({ kind: "expired" });
  expect(expired).toBe(1);
});

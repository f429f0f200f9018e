import { expect, test } from "vitest";
import { createOperatorClient } from "./operator-client.ts";

const clientWith = (status: number) => {
  const sent: { path: string; method: string | undefined; own: string | null; key: string | null }[] = [];
  let expired = 0;
  const client = createOperatorClient({
    onExpired: () => {
      expired += 1;
    },
    fetch: async (input, init) => {
      const headers = new Headers(init?.headers);
      sent.push({
        path: typeof input === "string" ? input : "",
        method: init?.method,
        own: headers.get("x-portage-console"),
        key: headers.get("idempotency-key"),
      });
      return new Response(status === 204 ? null : "{}", { status });
    },
  });
  return { client, sent, expired: () => expired };
};

test("a change shows that it comes from our own page, and carries its key; a read needs neither", async () => {
  const { client, sent } = clientWith(200);
  await client.read("/imports");
  await client.change("/imports/imp_1/runs/pause", { body: { reason: "x" }, key: "k1" });
  await client.withoutSession("/sign-in/local", {});
  expect(sent).toEqual([
    { path: "/api/operator/v1/imports", method: "GET", own: null, key: null },
    { path: "/api/operator/v1/imports/imp_1/runs/pause", method: "POST", own: "1", key: "k1" },
    { path: "/api/operator/v1/sign-in/local", method: "POST", own: "1", key: null },
  ]);
});

test("a session that has ended is reported, but not a sign-in that is refused", async () => {
  const { client, expired } = clientWith(401);
  expect(await client.withoutSession("/sign-in/local", {})).toEqual({ kind: "expired" });
  expect(expired()).toBe(0);
  expect(await client.read("/imports")).toEqual({ kind: "expired" });
  await client.change("/imports/imp_1/cancel");
  expect(expired()).toBe(2);
});

test.each([
  ["is sent again once the rate limit allows it", "0", { kind: "ok", value: {} }, 3],
  ["that is refused for longer is not", "60", { kind: "refused", message: "Later." }, 1],
])("a change %s", async (_, retryAfter, outcome, calls) => {
  let sent = 0;
  const client = createOperatorClient({
    onExpired: () => {},
    fetch: async () => {
      sent += 1;
      return sent < 3
        ? Response.json(
            { error: { message: "Later." } },
            { status: 429, headers: { "retry-after": retryAfter } },
          )
        : new Response("{}");
    },
  });
  expect(await client.change("/imports/imp_1/cancel")).toEqual(outcome);
  expect(sent).toBe(calls);
});

test("what stays refused ends", async () => {
  let sent = 0;
  const client = createOperatorClient({
    onExpired: () => {},
    fetch: async () => {
      sent += 1;
      return Response.json(
        { error: { message: "Later." } },
        { status: 429, headers: { "retry-after": "0" } },
      );
    },
  });
  expect(await client.read("/imports")).toEqual({ kind: "refused", message: "Later." });
  expect(sent).toBe(11);
});

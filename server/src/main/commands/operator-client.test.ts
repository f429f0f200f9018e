import { expect, test } from "vitest";
import { createClient } from "./operator-client.ts";

const answering = (...statuses: number[]) => {
  const keys: (string | null)[] = [];
  const fetcher: typeof fetch = async (_, request) => {
    keys.push(new Headers(request?.headers).get("idempotency-key"));
    const status = statuses.shift() ?? 200;
    return Response.json({ status }, { status, headers: { "retry-after": "0" } });
  };
  return { keys, ask: createClient(fetcher, "https://portage.example", "t") };
};

test("waits for the rate limit and sends the same change again", async () => {
  const { keys, ask } = answering(429, 429, 200);
  expect(await ask("/x", { method: "POST" })).toEqual({ status: 200 });
  expect(keys).toHaveLength(3);
  expect(new Set(keys).size).toBe(1);
});

test("gives up at last, and repeats nothing else", async () => {
  const limited = answering(...Array.from({ length: 50 }, () => 429));
  await expect(limited.ask("/x")).rejects.toThrow("The operator API answered 429");
  expect(limited.keys).toHaveLength(11);
  const failing = answering(500);
  await expect(failing.ask("/x")).rejects.toThrow("The operator API answered 500");
  expect(failing.keys).toHaveLength(1);
});

import type { HttpRequest, HttpResponse } from "@portage/connector-kit";
import { expect, test } from "vitest";
import { ticketsDestination } from "./tickets-destination.ts";

test("looks for a hundred keys with addresses that no client refuses", async () => {
  const urls: string[] = [];
  const send = async ({ url, query }: HttpRequest) => {
    urls.push(`${url}?${new URLSearchParams(query as Record<string, string>).toString()}`);
    return { json: () => ({ items: [] }) } as unknown as HttpResponse;
  };
  const settings = { instanceUrl: "https://rt.example", token: "", externalIdField: "External ID" };
  const io = { http: { send }, settings, scope: {}, signal: AbortSignal.timeout(1_000) } as never;
  const keys = Array.from(
    { length: 100 },
    (_, index) => `imp_${"x".repeat(26)}:${String(index).padStart(32, "0")}`,
  );
  await ticketsDestination.find(
    io,
    keys.map((key) => ({ key, since: new Date(0) })),
  );
  expect(Math.max(...urls.map(({ length }) => length))).toBeLessThan(8_000);
  for (const key of keys) expect(urls.filter((url) => url.includes(encodeURIComponent(key)))).toHaveLength(1);
});

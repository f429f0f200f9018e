import { expect, test } from "vitest";
import type { HttpRequest, HttpResponse, Io } from "../io.ts";
import { readingOnly } from "./effects.ts";

test("an io that may only read sends what changes nothing, and refuses the rest as of this record alone", async () => {
  const sent: (string | undefined)[] = [];
  const io = readingOnly({
    http: {
      send: async ({ method }: HttpRequest) => {
        sent.push(method);
        return {} as HttpResponse;
      },
    },
  } as unknown as Io<never>);
  await io.http.send({ url: "records" });
  await io.http.send({ url: "search", method: "POST", reads: true });
  for (const request of [
    { url: "records", method: "POST" },
    { url: "records/1", method: "PUT" },
    { url: "uploads", method: "POST", auxiliary: true },
  ] as const)
    await expect(io.http.send(request)).rejects.toMatchObject({
      recovery: "skip-record",
      code: "would_change",
    });
  expect(sent).toEqual([undefined, "POST"]);
});

import { expect, test } from "vitest";
import { z } from "zod";
import type { HttpRequest, Io } from "./io.ts";
import { hasStatus, isRefusal, recover, refusing, skipRecord } from "./refusals.ts";

const answering = (status: number, text: string) =>
  ({
    http: { send: async (_request: HttpRequest) => ({ status, text, headers: {}, url: "" }) },
  }) as unknown as Io;

const send = refusing({
  tool: "Acme Desk",
  statuses: [403, 404, 422],
  message: z.object({ error: z.string() }).transform(({ error }) => error),
});

test("a refusal carries the tool's own message, or says that it has none", async () => {
  const failed = send(answering(422, '{"error":"Subject is too long"}'), { url: "tickets" });
  await expect(failed).rejects.toMatchObject({
    recovery: "skip-record",
    code: "rejected",
    message: "Subject is too long",
    status: 422,
  });
  await expect(send(answering(404, "<html>"), { url: "tickets" })).rejects.toMatchObject({
    code: "not_found",
    message: "Acme Desk did not accept the record (404).",
  });
});

test("a status that the request accepts is an answer", async () => {
  expect((await send(answering(404, ""), { url: "tickets/1", accept: [404] })).status).toBe(404);
});

test("recovers only from the failure that it names", async () => {
  const gone = Promise.reject(skipRecord("not_found", "Gone.", 404));
  expect(await recover(gone, hasStatus(404, 410), () => "none")).toBe("none");
  const down = Promise.reject(new Error("down"));
  await expect(recover(down, isRefusal, () => "none")).rejects.toThrow("down");
});

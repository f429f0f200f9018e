import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createOutbound, type Outbound } from "./index.ts";

let server: Server;
let outbound: Outbound;
let url = "";
let arrived = 0;
beforeAll(async () => {
  server = createServer((_, response) => {
    arrived += 1;
    setTimeout(() => response.end("{}"), 300);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  url = `http://127.0.0.1:${port}/`;
  outbound = createOutbound({ allow: [`127.0.0.1:${port}`] });
});
afterAll(async () => {
  await outbound.close();
  server.close();
});

const send = (mayStart: () => boolean) =>
  outbound.send({ url, method: "POST", headers: {}, body: "x", mayStart });

test("a request past its deadline is not sent, and its error says that it has not arrived", async () => {
  await expect(send(() => false)).rejects.toMatchObject({ code: "aborted", mayHaveArrived: false });
  expect(arrived).toBe(0);
});

test("a request that waits for a connection checks the deadline when it gets one", async () => {
  let isOpen = true;
  // More requests than connections: the last ones wait for the earlier ones.
  const sent = Array.from({ length: 100 }, async () => {
    const answer = await send(() => isOpen);
    for await (const _ of answer.body);
    return "sent" as const;
  });
  setTimeout(() => {
    isOpen = false;
  }, 150);
  const outcomes = await Promise.all(sent.map((each) => each.catch((error: unknown) => error)));
  const late = outcomes.filter((outcome) => outcome !== "sent");
  expect(late).toHaveLength(36);
  for (const error of late) expect(error).toMatchObject({ code: "aborted", mayHaveArrived: false });
  expect(arrived).toBe(64);
});

import { createHmac } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import { kitVersion, type Manifest } from "../manifest.ts";
import { createTestIo } from "../test-io.ts";
import { createPlainTransport } from "./plain-transport.ts";

const seen: { headers: IncomingMessage["headers"]; body: string }[] = [];
const server = createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request as AsyncIterable<Buffer>) body += chunk.toString();
  seen.push({ headers: request.headers, body });
  response.statusCode = seen.length === 1 ? 503 : 200;
  response.end("{}");
});
await new Promise<void>((resolve) => {
  server.listen(0, "127.0.0.1", resolve);
});
const transport = createPlainTransport();
afterAll(async () => {
  await transport.close();
  server.close();
});

type Settings = { instanceUrl: string; token: string };

const mac = (token: string, text: string) => createHmac("sha256", token).update(text).digest("hex");

const manifest: Manifest<Settings> = {
  kit: kitVersion,
  name: "signed",
  label: "Signed",
  families: ["helpdesk"],
  roles: ["destination"],
  settings: z.object({ instanceUrl: z.string(), token: z.string() }),
  auth: {
    kind: "secret",
    secrets: ["token"],
    headers: () => ({ "x-account": "a" }),
    sign: ({ token }, { method, url, headers, body }) => ({
      "x-mac": mac(token, `${method} ${url.pathname} ${headers["x-part"]} ${body}`),
    }),
  },
  hosts: ({ instanceUrl }) => ({ api: [instanceUrl] }),
  limits: [],
  concurrency: 1,
  grace: { lateWriteMs: 0, findLagMs: 0 },
};

const { http } = createTestIo({
  manifest,
  settings: {
    instanceUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/base`,
    token: "key",
  },
  transport,
  retry: { firstDelayMs: 5 },
});

test("signs every attempt over the bytes that it sends, which can carry its time", async () => {
  let attempt = 0;
  await http.send({
    url: "write",
    method: "POST",
    headers: { "x-part": "1" },
    json: () => ({ attempt: ++attempt }),
    idempotent: true,
  });
  expect(seen.map(({ body }) => body)).toEqual(['{"attempt":1}', '{"attempt":2}']);
  for (const { headers, body } of seen) {
    expect(headers["x-mac"]).toBe(mac("key", `POST /base/write 1 ${body}`));
    expect(headers["x-account"]).toBe("a");
  }
});

test("does not read a stream for its signature", async () => {
  const file = {
    name: "a",
    contentType: "text/plain",
    size: 2,
    open: async function* () {
      yield Buffer.from("ab");
    },
  };
  await http.send({ url: "files", method: "POST", headers: { "x-part": "2" }, file });
  const last = seen.at(-1);
  expect(last?.body).toBe("ab");
  expect(last?.headers["x-mac"]).toBe(mac("key", "POST /base/files 2 null"));
});

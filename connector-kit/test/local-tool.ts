import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished } from "vitest";
import { z } from "zod";
import { ConnectorError } from "../src/errors.ts";
import type { Learned, Limiter } from "../src/http/limiter.ts";
import { createPlainTransport } from "../src/http/plain-transport.ts";
import type { Transport } from "../src/http/transport.ts";
import { type Dialect, kitVersion, type Manifest } from "../src/manifest.ts";
import { createTestIo } from "../src/test-io.ts";

export const secret = "s3cr3t/key+with=odd&signs";

/** Shared by all test files of a worker: its connections close with the process. */
export const plain = createPlainTransport();

export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly bytes: number;
}

export type Answer = (response: ServerResponse, seen: Seen, count: number) => void;

/** A server with the given answers, until the test ends. */
export const serve = async (answer: Answer) => {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    let bytes = 0;
    for await (const chunk of request as AsyncIterable<Buffer>) bytes += chunk.length;
    const { method = "", url = "", headers } = request;
    const one = { method, url, headers, bytes };
    seen.push(one);
    answer(response, one, seen.length);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { seen, base: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
};

export type Settings = { instanceUrl: string; token: string };

export const manifestOf = (files: readonly string[] = []): Manifest<Settings> => ({
  kit: kitVersion,
  name: "tool",
  label: "Tool",
  families: ["helpdesk"],
  roles: ["source"],
  settings: z.object({ instanceUrl: z.string(), token: z.string() }),
  auth: { kind: "secret", secrets: ["token"], headers: ({ token }) => ({ "x-api-key": token }) },
  hosts: ({ instanceUrl }) => ({ api: [instanceUrl], files }),
  limits: [],
  quotaHeaders: [{ remaining: "x-left", reset: "x-reset", resetIs: "seconds-left" }],
  concurrency: 8,
  grace: { lateWriteMs: 0, findLagMs: 0 },
});

export const learned: Learned[] = [];
const limiter: Limiter = {
  take: async () => ({ release() {} }),
  learn: (answer) => void learned.push(answer),
};

export const httpFor = (
  instanceUrl: string,
  {
    files,
    transport = plain,
    dialect,
  }: { files?: readonly string[]; transport?: Transport; dialect?: Dialect } = {},
) =>
  createTestIo({
    manifest: { ...manifestOf(files), ...(dialect ? { dialect } : {}) },
    settings: { instanceUrl, token: secret },
    transport,
    limiter,
    retry: { firstDelayMs: 5 },
  }).http;

export const failure = async (work: Promise<unknown>): Promise<ConnectorError> => {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ConnectorError);
  return error as ConnectorError;
};

import { once } from "node:events";
import { connect } from "node:http2";
import { expect, onTestFinished, test } from "vitest";
import { createLog } from "../platform/log.ts";
import { createChunkService } from "./chunk.ts";
import { createEndpoint } from "./endpoint.ts";
import { createSemaphore } from "./semaphore.ts";

test("few calls share a connection, so that other processes behind the address get their part", async () => {
  const log = createLog("silent");
  const runs = { workChunk: async () => ({ send: [], read: 0, written: 0 }) };
  const draining = new AbortController().signal;
  const service = createChunkService({ runs, places: createSemaphore(1), draining, log });
  const endpoint = createEndpoint({ services: [service], identityKeys: [], release: "r1", log });
  const port = await endpoint.listen("127.0.0.1", 0);
  onTestFinished(() => endpoint.close());
  const session = connect(`http://127.0.0.1:${port}`);
  onTestFinished(() => session.destroy());
  await once(session, "remoteSettings");
  expect(session.remoteSettings.maxConcurrentStreams).toBe(4);
});

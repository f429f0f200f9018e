import { createServer } from "node:http2";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { probeManifest } from "./restate-probe.ts";
import { type RestateProcess, startRestate } from "./restate-process.ts";

const worker = createServer(probeManifest);

let restate: RestateProcess;
beforeAll(async () => {
  await new Promise<void>((resolve) => {
    worker.listen(0, "127.0.0.1", resolve);
  });
  restate = await startRestate();
});
afterAll(async () => {
  await restate.remove();
  worker.close();
});

const register = async () => {
  const { port } = worker.address() as AddressInfo;
  const answer = await fetch(`${restate.adminUrl}/deployments`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ uri: `http://127.0.0.1:${port}` }),
  });
  return answer.status;
};
const known = async () =>
  (await restate.query<{ name: string }>("select name from sys_service")).map(({ name }) => name);

test("keeps its registrations over kill -9 and a stop, and loses them with its data", async () => {
  expect(restate.identityKey).toMatch(/^publickeyv1_/);
  expect(await register()).toBe(201);
  expect(await known()).toEqual(["probe"]);
  await restate.kill();
  expect(restate.isRunning()).toBe(false);
  await restate.start();
  expect(await known()).toEqual(["probe"]);
  await restate.stop();
  await restate.start();
  expect(await known()).toEqual(["probe"]);
  await restate.kill();
  restate.wipe();
  await restate.start();
  expect(await known()).toEqual([]);
  expect(await register()).toBe(201);
});

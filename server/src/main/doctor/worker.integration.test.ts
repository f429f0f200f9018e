import { service } from "@restatedev/restate-sdk";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { createRestateProcess, type RestateProcess } from "../../../../test/support/restate-process.ts";
import { createAdmin } from "../../engine/admin.ts";
import { createEndpoint } from "../../engine/endpoint.ts";
import { newIdentityKey, publicIdentityKey } from "../../platform/identity-key.ts";
import { createLog } from "../../platform/log.ts";
import { checkIdentity, checkWorker } from "./worker.ts";

let restate: RestateProcess;
beforeAll(async () => {
  restate = await createRestateProcess();
  await restate.start();
});
afterAll(() => restate.remove());

const serve = async (key: string, port = 0) => {
  const endpoint = createEndpoint({
    services: [service({ name: "Chunk", handlers: { work: async () => {} } })],
    identityKeys: [key],
    release: "r1",
    log: createLog("silent"),
  });
  const own = await endpoint.listen("127.0.0.1", port);
  onTestFinished(() => endpoint.close());
  return { endpoint, port: own, uri: `http://127.0.0.1:${own}/r1` };
};
const check = () => checkWorker(fetch, { RESTATE_ADMIN_URL: restate.adminUrl });

test("a worker that is not registered, one that answers, one that is gone, one that expects another key", async () => {
  expect(await check()).toMatchObject([{ state: "warning", message: "Restate has no registered worker" }]);
  const first = await serve(restate.identityKey);
  await createAdmin(restate.adminUrl).register(first.uri);
  expect(await check()).toEqual([
    { part: "worker", state: "ok", message: `${first.uri} is registered and answers Restate`, fix: null },
  ]);
  first.endpoint.close();
  expect(await check()).toMatchObject([
    { state: "warning", message: expect.stringContaining("can't reach it") as string },
  ]);
  await serve(publicIdentityKey(newIdentityKey()), first.port);
  expect(await check()).toMatchObject([
    { state: "problem", fix: expect.stringContaining("RESTATE_IDENTITY_KEYS") as string },
  ]);
});

test("an unreachable Restate is not a finding about the worker", async () => {
  expect(await checkWorker(fetch, { RESTATE_ADMIN_URL: "http://127.0.0.1:1" })).toEqual([]);
});

test("a worker that is reachable from other hosts must require a signature", () => {
  const key = publicIdentityKey(newIdentityKey());
  expect(checkIdentity({})).toMatchObject([{ state: "ok" }]);
  for (const open of [{ WORKER_HOST: "0.0.0.0" }, { WORKER_URL: "http://worker.internal:9080" }]) {
    expect(checkIdentity(open)).toMatchObject([{ state: "problem" }]);
    expect(checkIdentity({ ...open, RESTATE_IDENTITY_KEYS: key })).toMatchObject([{ state: "ok" }]);
  }
});

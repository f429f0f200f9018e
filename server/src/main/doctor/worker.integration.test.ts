import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { createRestateProcess, type RestateProcess } from "../../../../test/support/restate-process.ts";
import { createAdmin } from "../../engine/admin.ts";
import { createChunkService } from "../../engine/chunk.ts";
import { createEndpoint } from "../../engine/endpoint.ts";
import { createSemaphore } from "../../engine/semaphore.ts";
import { newIdentityKey, publicIdentityKey } from "../../platform/identity-key.ts";
import { createLog } from "../../platform/log.ts";
import { checkIdentity, checkWorker } from "./worker.ts";

let restate: RestateProcess;
beforeAll(async () => {
  restate = await createRestateProcess();
  await restate.start();
});
afterAll(() => restate.remove());

const serve = async (key: string, { port = 0, publicUrl }: { port?: number; publicUrl?: string } = {}) => {
  const log = createLog("silent");
  const chunks = createChunkService({
    runs: { workChunk: async () => ({ send: [], read: 0, written: 0 }) },
    places: createSemaphore(1),
    draining: new AbortController().signal,
    log,
    publicUrl,
  });
  const endpoint = createEndpoint({ services: [chunks], identityKeys: [key], release: "r1", log });
  const own = await endpoint.listen("127.0.0.1", port);
  onTestFinished(() => endpoint.close());
  return { endpoint, port: own, uri: `http://127.0.0.1:${own}/r1` };
};
const ours = "https://portage.example";
const check = () => checkWorker(fetch, { RESTATE_ADMIN_URL: restate.adminUrl, PUBLIC_URL: `${ours}/` });

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
  await serve(publicIdentityKey(newIdentityKey()), { port: first.port });
  expect(await check()).toMatchObject([
    { state: "problem", fix: expect.stringContaining("RESTATE_IDENTITY_KEYS") as string },
  ]);
});

test("a worker of another installation is a problem, and one of ours or of a release that does not say is not", async () => {
  const admin = createAdmin(restate.adminUrl);
  const own = await serve(restate.identityKey, { publicUrl: ours });
  await admin.register(own.uri);
  expect(await check()).toMatchObject([{ part: "worker", state: "ok" }]);
  const other = await serve(restate.identityKey, { publicUrl: "https://other.example" });
  const { id } = await admin.register(other.uri);
  expect(await check()).toEqual([
    {
      part: "worker",
      state: "problem",
      message: `this Restate also has ${other.uri}, a worker of the installation at https://other.example: the one that registers last gets the work of both`,
      fix: expect.stringContaining("set RESTATE_ADMIN_URL and RESTATE_INGRESS_URL") as string,
    },
  ]);
  expect(await checkWorker(fetch, { RESTATE_ADMIN_URL: restate.adminUrl })).toMatchObject([{ state: "ok" }]);
  // Ours registered last, and gets the other's work now.
  await admin.register(own.uri, { force: true });
  expect(await check()).toMatchObject([{ state: "problem" }]);
  await admin.remove(id);
  const silent = await serve(restate.identityKey);
  await admin.register(silent.uri);
  expect(await check()).toMatchObject([{ state: "ok" }]);
  // The same address and release, another PUBLIC_URL since: what was registered is out of date, the answer is not.
  silent.endpoint.close();
  await serve(restate.identityKey, { port: silent.port, publicUrl: "https://other.example" });
  expect(await check()).toMatchObject([{ state: "problem" }]);
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

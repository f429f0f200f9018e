import { createServer } from "node:http2";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { startRestateCluster } from "../support/restate-cluster.ts";
import { probeManifest } from "../support/restate-probe.ts";

const worker = createServer(probeManifest);
await new Promise<void>((resolve) => {
  worker.listen(0, "127.0.0.1", resolve);
});
const cluster = await startRestateCluster();
afterAll(async () => {
  await cluster.remove();
  worker.close();
});

test("survives the death of any one of three nodes without data loss, and the node rejoins", async () => {
  const { port } = worker.address() as AddressInfo;
  const known = await fetch(`${cluster.adminUrl}/deployments`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ uri: `http://127.0.0.1:${port}` }),
  });
  expect(known.status).toBe(201);
  for (const node of cluster.nodes) {
    await node.kill();
    while (!(await cluster.isWhole().catch(() => false))) await sleep(100);
    const listed = await fetch(`${cluster.adminUrl}/services/probe`, { headers: { connection: "close" } });
    expect(listed.status).toBe(200);
    await node.start();
  }
});

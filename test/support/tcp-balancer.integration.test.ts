import { Agent, createServer, get } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, test } from "vitest";
import { startTcpBalancer } from "./tcp-balancer.ts";

const servers = await Promise.all(
  ["a", "b"].map(async (name) => {
    const server = createServer((_, response) => response.end(name));
    await new Promise<void>((resolve) => {
      server.listen(0, "127.0.0.1", resolve);
    });
    return server;
  }),
);
const urls = servers.map((server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
const balancer = await startTcpBalancer(urls);
afterAll(async () => {
  await balancer.close();
  for (const server of servers) server.close();
});

const ask = async () => (await fetch(balancer.url, { headers: { connection: "close" } })).text();

test("sends new connections to other targets, and keeps open ones", async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const kept = () =>
    new Promise<string>((resolve, reject) => {
      get(balancer.url, { agent }, (answer) => {
        answer.setEncoding("utf8").on("data", resolve);
      }).on("error", reject);
    });
  balancer.setTargets(urls.slice(0, 1));
  expect(await kept()).toBe("a");
  balancer.setTargets(urls.slice(1));
  expect([await ask(), await ask(), await kept()]).toEqual(["b", "b", "a"]);
  agent.destroy();
  balancer.setTargets(urls);
});

test("distributes connections in turn, skips dead targets, and counts open connections", async () => {
  expect([await ask(), await ask(), await ask(), await ask()].toSorted()).toEqual(["a", "a", "b", "b"]);
  servers[0]?.closeAllConnections();
  servers[0]?.close();
  expect([await ask(), await ask(), await ask()]).toEqual(["b", "b", "b"]);
  const held = await fetch(balancer.url);
  expect(balancer.connectionsTo(urls[1] ?? "")).toBeGreaterThan(0);
  expect(balancer.connectionsTo(urls[0] ?? "")).toBe(0);
  await held.text();
});

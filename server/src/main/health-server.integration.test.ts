import { expect, onTestFinished, test } from "vitest";
import { freePort } from "../../../test/support/free-port.ts";
import { healthRoutes } from "../http/health.ts";
import { StandbyError } from "../platform/database-hosts.ts";
import { createHealthServer } from "./health-server.ts";

const readiness = async (findObstacle: () => Promise<string | null>) => {
  const server = createHealthServer(findObstacle);
  const port = await freePort();
  await server.listen("127.0.0.1", port);
  onTestFinished(() => server.close());
  const response = await fetch(`http://127.0.0.1:${port}/readyz`);
  return [response.status, await response.json()];
};

test.each([
  ["ready", async () => null, [200, { status: "ok" }]],
  [
    "draining",
    async () => "It is shutting down.",
    [503, { status: "unavailable", reason: "It is shutting down." }],
  ],
  [
    "on a standby",
    () => Promise.reject(new StandbyError()),
    [503, { status: "unavailable", reason: "The database server is a standby: it accepts no writes." }],
  ],
  [
    "without a database",
    () => Promise.reject(new Error("ECONNREFUSED 10.0.0.1:5432")),
    [503, { status: "unavailable", reason: "The database does not answer." }],
  ],
])("a worker that is %s says so", async (_, findObstacle, answer) => {
  expect(await readiness(findObstacle)).toEqual(answer);
});

test("an API on a standby is not ready, and says why", async () => {
  const ready = healthRoutes({
    requireReady: () => Promise.reject(new StandbyError()),
    isDraining: () => false,
  }).find(({ path }) => path === "/readyz");
  await expect(ready?.answer({} as never, {} as never)).rejects.toMatchObject({
    code: "unavailable",
    message: "The database server is a standby: it accepts no writes.",
  });
});

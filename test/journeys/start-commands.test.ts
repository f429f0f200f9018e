import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { commandWords, readDockerfile } from "../../deploy/dockerfile.ts";
import { fillIn } from "../../deploy/compose-file.ts";
import { startCommands } from "../../deploy/start-commands.ts";
import { freePort } from "../support/free-port.ts";
import { createPostgres, type PostgresServer } from "../support/postgres.ts";
import { createRestateProcess, type RestateProcess } from "../support/restate-process.ts";

const root = join(import.meta.dirname, "../..");
let postgres: PostgresServer;
let restate: RestateProcess;
beforeAll(async () => {
  [postgres, restate] = await Promise.all([createPostgres(), createRestateProcess()]);
  postgres.start();
  await postgres.ask("create role portage_app login");
  await restate.start();
});
afterAll(async () => {
  postgres.remove();
  await restate.remove();
});

/** What compose.yaml passes with the operator's .env of this test, but for secrets, which it has in files. */
const filledIn = (environment: Readonly<Record<string, string>>, dotEnv: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(environment)
      .filter(([name]) => !name.endsWith("_FILE"))
      .map(([name, value]) => [name, fillIn(value, dotEnv)]),
  );

test("the image's commands migrate, serve and work, without a container, with the operator's settings", async () => {
  const [port, workerPort, healthPort] = await Promise.all([freePort(), freePort(), freePort()]);
  const dotEnv = {
    PUBLIC_URL: "https://portage.example",
    SHUTDOWN_DELAY_MS: "0",
  };
  const start = (service: string) => {
    const found = startCommands().find((each) => each.service === service);
    const [program = "", ...args] = found?.command ?? [];
    return spawn(program, args, {
      cwd: root,
      env: {
        PATH: process.env.PATH,
        ...filledIn(found?.environment ?? {}, dotEnv),
        // the only differences from the container: secrets by value, addresses of the other services, and loopback
        DATABASE_URL: service === "migrate" ? postgres.url : postgres.url.replace("portage@", "portage_app@"),
        PORTAGE_KEYS: `k1:${Buffer.alloc(32, 7).toString("base64")}`,
        RESTATE_IDENTITY_KEYS: restate.identityKey,
        METRICS_HOST: "127.0.0.1",
        METRICS_PORT: "0",
        HOST: "127.0.0.1",
        PORT: String(port),
        RESTATE_INGRESS_URL: restate.ingressUrl,
        RESTATE_ADMIN_URL: restate.adminUrl,
        WORKER_HOST: "127.0.0.1",
        WORKER_PORT: String(workerPort),
        WORKER_URL: "",
        WORKER_HEALTH_PORT: String(healthPort),
      },
      stdio: ["ignore", "pipe", "inherit"],
    });
  };
  const [migrated] = (await once(start("migrate"), "exit")) as [number];
  expect(migrated).toBe(0);

  const healthCheck = readDockerfile(readFileSync(join(root, "deploy/Dockerfile"), "utf8")).findLast(
    ({ name }) => name === "HEALTHCHECK",
  );
  const [program = "", ...args] = commandWords(
    healthCheck?.value.slice(healthCheck.value.indexOf("[")) ?? "",
  );
  const healthy = async () => {
    const check = spawn(program, args, {
      env: { PATH: process.env.PATH, PORT: String(port) },
      stdio: "ignore",
    });
    return ((await once(check, "exit")) as [number])[0] === 0;
  };
  expect(await healthy()).toBe(false);

  const api = start("api");
  try {
    for (let tries = 0; tries < 600 && !(await healthy()); tries++) await sleep(100);
    expect(await healthy()).toBe(true);
    expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
  } finally {
    api.kill("SIGTERM");
  }
  const [code] = (await once(api, "exit")) as [number | null];
  expect(code).toBe(0);

  const worker = start("worker");
  try {
    const isReady = () =>
      fetch(`http://127.0.0.1:${healthPort}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
    for (let tries = 0; tries < 600 && !(await isReady()); tries++) await sleep(100);
    expect(await isReady()).toBe(true);
  } finally {
    worker.kill("SIGTERM");
  }
  const [workerCode] = (await once(worker, "exit")) as [number | null];
  expect(workerCode).toBe(0);
});

import { join } from "node:path";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import { type DevRun, startInShell } from "../../support/dev-run.ts";
import { freePort } from "../../support/free-port.ts";
import { createPostgres, type PostgresServer } from "../../support/postgres.ts";
import { copyRepository, type RepositoryCopy } from "../../support/repository-copy.ts";

const root = join(import.meta.dirname, "../../..");

const portNames = [
  "PORT",
  "RESTATE_INGRESS_PORT",
  "RESTATE_ADMIN_PORT",
  "RESTATE_NODE_PORT",
  "WORKER_PORT",
  "WORKER_HEALTH_PORT",
  "ATTIC_PORT",
  "FERRY_PORT",
];

/** A copy of this repository with a PostgreSQL, in which the demo is started as a person would. */
export const useDemoCopy = () => {
  let postgres: PostgresServer;
  let copy: RepositoryCopy;
  beforeAll(async () => {
    postgres = await createPostgres();
    postgres.start();
    copy = copyRepository(root);
  });
  afterAll(() => {
    postgres.remove();
    copy.remove();
  });
  return {
    start: async (line: string, env: NodeJS.ProcessEnv = {}): Promise<DevRun> => {
      const ports = await Promise.all(portNames.map(async (name) => [name, String(await freePort())]));
      const run = startInShell(line, {
        cwd: copy.root,
        env: {
          PATH: process.env["PATH"],
          HOME: process.env["HOME"],
          DATABASE_URL: postgres.url,
          ...Object.fromEntries(ports),
          ...env,
        },
      });
      onTestFinished(() => run.forceEnd());
      return run;
    },
  };
};

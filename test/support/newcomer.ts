import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { freePort } from "./free-port.ts";
import { createPostgres, type PostgresServer } from "./postgres.ts";
import { trackedFiles } from "./tracked-files.ts";

const root = join(import.meta.dirname, "../..");

export interface Newcomer {
  /** A new folder that contains the clone. */
  readonly folder: string;
  readonly clone: string;
  readonly env: NodeJS.ProcessEnv;
}

/** A fresh clone, a database server and a shell: for pages that a reader follows step by step. */
export const useNewcomer = (): Newcomer => {
  let postgres: PostgresServer;
  let folder = "";
  let env: NodeJS.ProcessEnv = {};
  const clone = () => join(folder, "portage");
  beforeAll(async () => {
    postgres = await createPostgres();
    postgres.start();
    folder = mkdtempSync(join(tmpdir(), "portage-newcomer-"));
    for (const file of trackedFiles(root)) cpSync(join(root, file), join(clone(), file), { recursive: true });
    const ports = await Promise.all(Array.from({ length: 6 }, () => freePort()));
    env = {
      // A person's shell environment, without the variables of vitest and npm.
      ...Object.fromEntries(
        Object.entries(process.env).filter(([name]) => !/^(npm_|VITEST|NODE_ENV$|PORTAGE_)/.test(name)),
      ),
      DATABASE_URL: postgres.url.replace(/\/postgres$/, "/portage"),
      // Other processes on this machine may use the default ports; everything else has its defaults.
      PORT: String(ports[0]),
      RESTATE_INGRESS_PORT: String(ports[1]),
      RESTATE_ADMIN_PORT: String(ports[2]),
      RESTATE_NODE_PORT: String(ports[3]),
      WORKER_PORT: String(ports[4]),
      WORKER_HEALTH_PORT: String(ports[5]),
    };
  });
  afterAll(() => {
    postgres.remove();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    get folder() {
      return folder;
    },
    get clone() {
      return clone();
    },
    get env() {
      return env;
    },
  };
};

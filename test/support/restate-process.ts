import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { restateServer } from "../../server/dev/restate.ts";
import { newIdentityKey } from "../../server/src/platform/identity-key.ts";
import { type LeashedProcess, startLeashed } from "./leashed-process.ts";
import { freePort } from "./free-port.ts";
import { timed } from "./set-up-times.ts";

const slowestStartMs = 180_000;

export interface RestatePorts {
  readonly restateIngress: number;
  readonly restateAdmin: number;
  readonly restateNode: number;
}

export interface RestateProcess {
  /** The folder of its data and its log. */
  readonly folder: string;
  readonly ingressUrl: string;
  readonly adminUrl: string;
  /** The key that it signs its calls with, and the public key in Restate's format. */
  readonly privatePem: string;
  readonly identityKey: string;
  /** Starts it again on the same ports, with the existing data. */
  start(): Promise<void>;
  /** kill -9, and waits for the end. */
  kill(): Promise<void>;
  /** Stops it as an operator does. */
  stop(): Promise<void>;
  /** Deletes all its data. Call it only while Restate is stopped. */
  wipe(): void;
  signal(signal: NodeJS.Signals): void;
  isRunning(): boolean;
  /** The id of its process. Call it only while Restate is running. */
  pid(): number;
  /** One of Restate's introspection queries, in SQL. */
  query<T>(sql: string): Promise<readonly T[]>;
  log(): string;
  /** Ends it and deletes its folder. */
  remove(): Promise<void>;
}

export interface RestateProcessOptions {
  readonly cluster?: string;
  readonly node?: string;
  readonly ports?: RestatePorts;
  readonly settings?: Readonly<Record<string, string>>;
  /** PEM: nodes of one cluster sign with one key. */
  readonly identity?: string;
}

/** Smaller than the defaults, for a shared machine with little data. */
const small = {
  RESTATE_DEFAULT_NUM_PARTITIONS: "4",
  RESTATE_ROCKSDB_TOTAL_MEMORY_SIZE: "256MiB",
  // Uncompressed, so that a test can search its files.
  RESTATE_LOG_SERVER__ROCKSDB_DISABLE_WAL_COMPRESSION: "true",
  RESTATE_WORKER__STORAGE__ROCKSDB_DISABLE_WAL_COMPRESSION: "true",
};

export const freeRestatePorts = async (): Promise<RestatePorts> => {
  const [restateIngress, restateAdmin, restateNode] = await Promise.all([freePort(), freePort(), freePort()]);
  return { restateIngress, restateAdmin, restateNode };
};

const answers = (url: string) =>
  fetch(url, { signal: AbortSignal.timeout(2_000) }).then(
    (answer) => answer.arrayBuffer().then(() => answer.ok),
    () => false,
  );

const ask = async <T>(adminUrl: string, query: string): Promise<readonly T[]> => {
  const answer = await fetch(`${adminUrl}/query`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify({ query }),
  });
  if (!answer.ok) throw new Error(`Restate's query: ${answer.status} ${await answer.text()}`);
  return ((await answer.json()) as { rows: readonly T[] }).rows;
};

/** A real Restate server on loopback, small enough to run several on one machine; not started yet. */
export const createRestateProcess = async ({
  cluster = "portage-test",
  node = "test",
  ports: given,
  settings = {},
  identity = newIdentityKey(),
}: RestateProcessOptions = {}): Promise<RestateProcess> => {
  const ports = given ?? (await freeRestatePorts());
  const folder = mkdtempSync(join(tmpdir(), "portage-restate-"));
  const data = join(folder, "data");
  const logFile = join(folder, "log");
  const pem = join(folder, "identity.pem");
  writeFileSync(pem, identity, { mode: 0o600 });
  const ingressUrl = `http://127.0.0.1:${ports.restateIngress}`;
  const adminUrl = `http://127.0.0.1:${ports.restateAdmin}`;
  const { PATH, HOME } = process.env;
  const plan = restateServer({
    cluster,
    node,
    folder: data,
    ports,
    env: { PATH, HOME },
    settings: { RESTATE_REQUEST_IDENTITY_PRIVATE_KEY_PEM_FILE: pem, ...small, ...settings },
  });
  let running: LeashedProcess | undefined;
  const isRunning = () => running?.isRunning() ?? false;
  const log = () => readFileSync(logFile, "utf8");
  const kill = async () => {
    running?.kill("SIGKILL");
    await running?.exited;
  };
  return {
    folder,
    ingressUrl,
    adminUrl,
    privatePem: identity,
    get identityKey() {
      const [key] = /publickeyv1_\w+/.exec(log()) ?? [];
      if (!key) throw new Error("Restate did not say its public key.");
      return key;
    },
    start: () =>
      timed("Restate", async () => {
        running = startLeashed({ name: "Restate", ...plan, logFile });
        const giveUpAt = performance.now() + slowestStartMs;
        const urls = [`${adminUrl}/health`, `${ingressUrl}/restate/health`];
        while (!(await Promise.all(urls.map(answers))).every(Boolean)) {
          if (!isRunning() || performance.now() > giveUpAt)
            throw new Error(`Restate did not start:\n${log().slice(-2_000)}`);
          await sleep(50);
        }
      }),
    kill,
    stop: async () => void (await running?.stop()),
    wipe: () => rmSync(data, { recursive: true, force: true }),
    signal: (signal) => running?.kill(signal),
    isRunning,
    pid: () => {
      if (!running) throw new Error("Restate was not started.");
      return running.pid;
    },
    query: (sql) => ask(adminUrl, sql),
    log,
    async remove() {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

/** The same, started. */
export const startRestate = async (options: RestateProcessOptions = {}): Promise<RestateProcess> => {
  const restate = await createRestateProcess(options);
  await restate.start();
  return restate;
};

import { execFile, execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import pg from "pg";
import { freePort } from "../../support/free-port.ts";
import { startLeashed } from "../../support/leashed-process.ts";
import { patienceMs } from "../../support/patience.ts";
import { guardPostgres } from "../../support/postgres-guard.ts";

/** What operators copy to their machines. */
const files = join(import.meta.dirname, "../../../deploy/patroni");

/** Installs all three if one is missing. Needs root, Debian and, the first time, its package mirror. */
const install = () => {
  if (["/usr/bin/patroni", "/usr/bin/etcd", "/usr/sbin/haproxy"].every((file) => existsSync(file))) return;
  execFileSync(join(import.meta.dirname, "install.sh"), {
    stdio: ["ignore", "ignore", "inherit"],
    timeout: 600_000,
  });
};

/** As Patroni's API shows it. */
export interface Member {
  readonly name: string;
  readonly role: string;
  readonly state: string;
  readonly timeline?: number;
}

export type Blow = "switchover" | "postgres" | "patroni" | "machine";

export interface PatroniCluster {
  /** Through HAProxy: always the primary. */
  readonly url: string;
  members(): Promise<readonly Member[]>;
  /** The name of the primary, once there is one that is not this one. */
  untilPrimaryIsNot(name: string | null): Promise<string>;
  /** Waits until all nodes run, and one of the standbys is synchronous. */
  untilWhole(): Promise<string>;
  /** Moves the primary by Patroni's own command, or kills a part of it with SIGKILL. */
  strike(name: string, blow: Blow): Promise<void>;
  /** Starts what a blow has killed. */
  mend(name: string): Promise<void>;
}

const account = () => {
  if (process.getuid?.() !== 0) return null;
  const id = (flag: string) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
};

const asPostgres = [
  "--reuid",
  "postgres",
  "--regid",
  "postgres",
  "--init-groups",
  "--pdeathsig",
  "KILL",
  "--",
];

/** Three nodes with the documented configuration, one etcd and HAProxy, on loopback. */
export const startPatroni = async (
  { afterwards }: { afterwards(undo: () => unknown): void },
  logs: string,
): Promise<PatroniCluster> => {
  install();
  const as = account();
  const folder = mkdtempSync(join(tmpdir(), "portage-patroni-"));
  const own = (path: string) => as && chownSync(path, as.uid, as.gid);
  own(folder);
  chmodSync(folder, 0o755);
  afterwards(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(join(files, "patroni.yml"), join(folder, "patroni.yml"));
  const bin = globSync("/usr/lib/postgresql/*/bin").toSorted().at(-1) ?? "";
  const password = () => randomBytes(16).toString("hex");
  const [superuser, replication, service] = [password(), password(), password()];
  const run = (
    name: string,
    command: string,
    args: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ) => {
    const child = startLeashed({
      name,
      ...(as ? { command: "setpriv", args: [...asPostgres, command, ...args] } : { command, args }),
      env: { PATH: `${process.env["PATH"]}:/usr/sbin`, ...env },
      logFile: join(logs, `${name}.log`),
    });
    afterwards(() => child.stop());
    return child;
  };

  const [etcdPort, peerPort, door] = [await freePort(), await freePort(), await freePort()];
  const etcd = `127.0.0.1:${etcdPort}`;
  const peer = `http://127.0.0.1:${peerPort}`;
  const options = {
    name: "etcd",
    "data-dir": join(folder, "etcd"),
    "listen-client-urls": `http://${etcd}`,
    "advertise-client-urls": `http://${etcd}`,
    "listen-peer-urls": peer,
    "initial-advertise-peer-urls": peer,
    "initial-cluster": `etcd=${peer}`,
    // A busy machine must not cost it its leadership.
    "heartbeat-interval": "500",
    "election-timeout": "5000",
  };
  run(
    "etcd",
    "etcd",
    Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]),
  );

  const newNode = async (name: string) => {
    const home = mkdtempSync(join(tmpdir(), `portage-pg-${name}-`));
    own(home);
    guardPostgres(home);
    const [postgres, rest] = [`127.0.0.1:${await freePort()}`, `127.0.0.1:${await freePort()}`];
    const env = {
      PATRONI_NAME: name,
      PATRONI_ETCD3_HOSTS: etcd,
      PATRONI_RESTAPI_LISTEN: rest,
      PATRONI_RESTAPI_CONNECT_ADDRESS: rest,
      PATRONI_POSTGRESQL_LISTEN: postgres,
      PATRONI_POSTGRESQL_CONNECT_ADDRESS: postgres,
      PATRONI_POSTGRESQL_DATA_DIR: join(home, "data"),
      PATRONI_POSTGRESQL_BIN_DIR: bin,
      PATRONI_POSTGRESQL_PGPASS: join(home, "pgpass"),
      PATRONI_SUPERUSER_USERNAME: "postgres",
      PATRONI_SUPERUSER_PASSWORD: superuser,
      PATRONI_REPLICATION_USERNAME: "replicator",
      PATRONI_REPLICATION_PASSWORD: replication,
    };
    const start = () => run(name, "patroni", [join(folder, "patroni.yml")], env);
    return { name, home, postgres, rest, env, start, process: start() };
  };
  const nodes = [await newNode("node1"), await newNode("node2"), await newNode("node3")];
  // In reverse order: Patroni first, which would start PostgreSQL again.
  afterwards(async () => {
    for (const { process: patroni } of nodes) patroni.kill("SIGKILL");
    for (const { home } of nodes) killPostgres(home);
  });
  const killPostgres = (home: string) => {
    const file = join(home, "data/postmaster.pid");
    if (!existsSync(file)) return;
    try {
      process.kill(Number(readFileSync(file, "utf8").split("\n", 1)[0]), "SIGKILL");
    } catch {
      // it has ended
    }
  };
  const nodeOf = (name: string) => {
    const found = nodes.find((each) => each.name === name);
    if (!found) throw new Error(`No node ${name}.`);
    return found;
  };

  const members = async (): Promise<readonly Member[]> => {
    for (const { rest } of nodes) {
      const answer = await fetch(`http://${rest}/cluster`, { signal: AbortSignal.timeout(3_000) }).catch(
        () => null,
      );
      if (answer?.ok) return ((await answer.json()) as { members: Member[] }).members;
    }
    return [];
  };
  const until = async <T>(what: string, read: () => Promise<T | null>): Promise<T> => {
    for (const giveUpAt = performance.now() + patienceMs; performance.now() < giveUpAt; await sleep(200)) {
      const found = await read();
      if (found !== null) return found;
    }
    throw new Error(`${what}: not in ${patienceMs} ms: ${JSON.stringify(await members())}. See ${logs}.`);
  };
  const untilPrimaryIsNot = (name: string | null) =>
    until("a primary", async () => {
      for (const node of nodes) {
        if (node.name === name) continue;
        const answer = await fetch(`http://${node.rest}/primary`).catch(() => null);
        if (answer?.status === 200) return node.name;
      }
      return null;
    });
  const untilWhole = () =>
    until("a whole cluster", async () => {
      const all = await members();
      const leader = all.find(({ role }) => role === "leader");
      const standbys = all.filter(({ role }) => role !== "leader");
      // A standby of another timeline has not followed the new primary yet.
      const isWhole =
        standbys.length === nodes.length - 1 &&
        standbys.every(
          ({ state, timeline }) => /^(running|streaming)$/.test(state) && timeline === leader?.timeline,
        ) &&
        standbys.some(({ role }) => role === "sync_standby");
      return leader && isWhole ? leader.name : null;
    });

  await untilWhole();
  const [host, port] = nodeOf(await untilPrimaryIsNot(null)).postgres.split(":");
  const client = new pg.Client({
    host,
    port: Number(port),
    user: "postgres",
    password: superuser,
    database: "postgres",
  });
  await client.connect();
  await client.query(`create role portage login password '${service}'`);
  await client.query("create database portage owner portage");
  await client.end();

  const checks = Object.fromEntries(
    nodes.flatMap(({ name, postgres, rest }) => [
      [name.toUpperCase(), postgres],
      [`${name.toUpperCase()}_CHECK`, rest.split(":")[1] ?? ""],
    ]),
  );
  const config = join(folder, "haproxy.cfg");
  cpSync(join(files, "haproxy.cfg"), config);
  run("haproxy", "haproxy", ["-db", "-f", config], { DATABASE_LISTEN: `127.0.0.1:${door}`, ...checks });

  const url = `postgres://portage:${service}@127.0.0.1:${door}/portage`;
  // HAProxy takes all nodes for primaries until it has asked them, and takes them in turn.
  const visit = async (): Promise<boolean> => {
    const visitor = new pg.Client({ connectionString: url });
    visitor.on("error", () => {});
    try {
      await visitor.connect();
      const { rows } = await visitor.query<{ standby: boolean }>("select pg_is_in_recovery() as standby");
      await visitor.end();
      return rows[0]?.standby === false;
    } catch {
      return false;
    }
  };
  await until("HAProxy leads to the primary alone", async () => {
    for (let visits = 0; visits < 2 * nodes.length; visits += 1) {
      if (!(await visit())) return null;
      await sleep(500);
    }
    return true;
  });

  return {
    url,
    members,
    untilPrimaryIsNot,
    untilWhole,
    async strike(name, blow) {
      const node = nodeOf(name);
      if (blow === "switchover") {
        const next = (await members()).find(({ role }) => role === "sync_standby")?.name ?? "";
        await promisify(execFile)(
          "patronictl",
          [
            "-c",
            join(folder, "patroni.yml"),
            "switchover",
            "portage",
            "--leader",
            name,
            "--candidate",
            next,
            "--force",
          ],
          { cwd: "/", env: { ...node.env, PATH: process.env["PATH"], LC_ALL: "C.UTF-8" }, ...as },
        );
        return;
      }
      if (blow !== "postgres") node.process.kill("SIGKILL");
      if (blow !== "patroni") killPostgres(node.home);
    },
    async mend(name) {
      const node = nodeOf(name);
      if (!node.process.isRunning()) node.process = node.start();
    },
  };
};

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../../support/free-port.ts";

const program = "/usr/sbin/pgbouncer";

/** Installs it if it is missing. Needs root, Debian and, the first time, its package mirror. */
const installPgbouncer = () => {
  if (existsSync(program)) return;
  execFileSync(join(import.meta.dirname, "install.sh"), {
    stdio: ["ignore", "ignore", "inherit"],
    timeout: 600_000,
  });
};

/** The documented settings, but for addresses and passwords, which are each installation's own. */
export const documentedSettings = (): Readonly<Record<string, string>> => {
  const file = join(import.meta.dirname, "../../../deploy/pgbouncer/pgbouncer.ini");
  const [, section = ""] = readFileSync(file, "utf8").split("[pgbouncer]\n");
  const all = section.split("\n").flatMap((line) => {
    const [, name, value] = /^(\w+) = (.+)$/.exec(line) ?? [];
    return name && value && !/^(listen|auth)_/.test(name) ? [[name, value] as const] : [];
  });
  return Object.fromEntries(all);
};

export interface Pgbouncer {
  readonly url: string;
  stop(): Promise<void>;
}

const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port });
    socket.once("connect", () => resolve(socket.destroy() !== null));
    socket.once("error", () => resolve(false));
  });

/** A real PgBouncer in front of a server. */
export const startPgbouncer = async (
  serverUrl: string,
  settings: Readonly<Record<string, string>>,
): Promise<Pgbouncer> => {
  installPgbouncer();
  const folder = mkdtempSync(join(tmpdir(), "portage-pgbouncer-"));
  const port = await freePort();
  const server = new URL(serverUrl);
  const file = join(folder, "pgbouncer.ini");
  const all = {
    listen_addr: "127.0.0.1",
    listen_port: String(port),
    unix_socket_dir: "",
    auth_type: "any",
    ...settings,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`);
  const target = `* = host=127.0.0.1 port=${server.port} user=${server.username}`;
  writeFileSync(file, ["[databases]", target, "[pgbouncer]", ...lines, ""].join("\n"));
  const owner = Number(execFileSync("id", ["-u", "postgres"], { encoding: "utf8" }));
  for (const each of [folder, file]) chownSync(each, owner, owner);
  const child: ChildProcess = spawn(program, ["--quiet", file], {
    uid: owner,
    gid: owner,
    stdio: "ignore",
    cwd: "/",
  });
  const ended = once(child, "exit");
  while (!(await isListening(port))) {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended with ${child.exitCode}.`);
    await sleep(50);
  }
  return {
    url: Object.assign(new URL(serverUrl), { port: String(port) }).href,
    stop: async () => {
      child.kill("SIGINT");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

import { execFile, execFileSync, spawn } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { freePort } from "../../support/free-port.ts";
import { createPostgres } from "../../support/postgres.ts";
import { timed } from "../../support/set-up-times.ts";
import { znunyConfig } from "./config.ts";
import { isAlive } from "../../support/is-alive.ts";

export interface ZnunyServer {
  /** With the path of its pages: `…/znuny`. */
  readonly url: string;
  readonly webService: string;
  /** An agent who may read every queue and write to none. */
  readonly username: string;
  readonly password: string;
  /** May do everything. */
  readonly admin: { readonly username: string; readonly password: string };
  readonly timeZone: string;
  /** Its own database, in the format of pg. */
  readonly database: {
    readonly host: string;
    readonly port: number;
    readonly user: string;
    readonly database: string;
  };
  /** Runs Perl inside Znuny, for what its web service can't do; returns the output. */
  perl(script: string): Promise<string>;
  /** Stops it, and saves its contents to a folder, as initial contents for others. */
  keepContents(target: string): Promise<void>;
  /** Stops it and deletes its data. */
  stop(): Promise<void>;
}

export interface ZnunyNeeds {
  /** Where its mail goes; default: a port without a listener. */
  readonly smtpPort?: number;
  readonly port?: number;
  readonly workers?: number;
  /** Initial contents, from `keepContents`. */
  readonly contents?: string;
}

const here = import.meta.dirname;
/** Where install.sh puts it. */
const share = "/opt/portage-tests/znuny";

export const znunyVersion = () => readFileSync(join(share, "version"), "utf8").trim();
const webService = "GenericTicketConnectorREST";
const account = { username: "importer", password: "importer-of-the-tests" };
const admin = { username: "root@localhost", password: "root-of-the-tests" };
/** Not UTC, and with summer time: Znuny's times don't say their zone. */
const timeZone = "Europe/Berlin";

const idOf = (kind: "-u" | "-g") =>
  Number(execFileSync("id", [kind, "www-data"], { encoding: "utf8" }).trim());

const endProcess = async (pid: number) => {
  if (isAlive(pid)) process.kill(pid, "SIGTERM");
  for (let tries = 0; tries < 50 && isAlive(pid); tries += 1) await wait(100);
  if (isAlive(pid)) process.kill(pid, "SIGKILL");
};

const isReady = async (url: string) => {
  const body = JSON.stringify({ UserLogin: account.username, Password: account.password });
  const session = `${url}/nph-genericinterface.pl/Webservice/${webService}/Session`;
  const answer = await fetch(session, { method: "POST", body }).catch(() => null);
  return answer?.status === 200 && (await answer.text()).includes("SessionID");
};

/** Installs it if it is missing. Needs root, Debian 12 and, the first time, its package mirror. */
export const installZnuny = () =>
  void execFileSync(join(here, "install.sh"), { stdio: ["ignore", "ignore", "inherit"], timeout: 900_000 });

const start = async (needs: ZnunyNeeds): Promise<ZnunyServer> => {
  installZnuny();
  const port = needs.port ?? (await freePort());
  const url = `http://127.0.0.1:${port}/znuny`;
  const database = await createPostgres(
    { synchronous_commit: "off", full_page_writes: "off", jit: "off" },
    needs.contents === undefined ? undefined : { copyOf: join(needs.contents, "data") },
  );
  database.start();
  const databasePort = Number(new URL(database.url).port);
  const folder = mkdtempSync(join(tmpdir(), "portage-znuny-"));
  const home = join(folder, "home");
  const owner = { uid: idOf("-u"), gid: idOf("-g") };
  let pid: number | null = null;
  const stop = async () => {
    if (pid !== null) await endProcess(pid);
    database.remove();
    rmSync(folder, { recursive: true, force: true });
  };
  const env = {
    PATH: "/usr/sbin:/usr/bin:/sbin:/bin",
    HOME: folder,
    TMPDIR: join(folder, "tmp"),
    LANG: "C.UTF-8",
    PERL5LIB: [home, join(home, "Kernel/cpan-lib"), join(home, "Custom")].join(":"),
  };
  const options = { ...owner, cwd: "/", env, maxBuffer: 64 * 1024 * 1024 };
  const run = promisify(execFile);
  // By its standard input: the server's user may not be able to read the checkout.
  const perl = async (script: string, args: readonly string[] = []) => {
    const running = run("perl", ["-", ...args], options);
    running.child.stdin?.end(script);
    return (await running).stdout;
  };
  const layOut = () => {
    chmodSync(folder, 0o755);
    mkdirSync(join(folder, "tmp"));
    // Folders of its own, files by links: Znuny writes its deployed settings, cache and logs below its home.
    execFileSync("cp", ["--recursive", "--symbolic-link", share, home]);
    writeFileSync(
      join(home, "Kernel/Config.pm"),
      znunyConfig({ home, port, databasePort, smtpPort: needs.smtpPort ?? 9, timeZone }),
    );
    for (const name of ["app.psgi", "web-service.yml"]) copyFileSync(join(here, name), join(folder, name));
    if (needs.contents !== undefined)
      cpSync(join(needs.contents, "settings"), join(home, "Kernel/Config/Files"), { recursive: true });
    execFileSync("chown", ["-R", "--no-dereference", "www-data:www-data", folder]);
  };
  const sql = async (database_: string, args: readonly string[]) => {
    const where = ["-h", "127.0.0.1", "-p", String(databasePort), "-U", "portage", "-d", database_];
    await run("psql", [...where, "-q", "-v", "ON_ERROR_STOP=1", ...args], { maxBuffer: 64 * 1024 * 1024 });
  };
  const setUp = async () => {
    await sql("postgres", ["-c", "create database znuny encoding 'UTF8' template template0"]);
    for (const name of ["schema", "initial_insert", "schema-post"])
      await sql("znuny", ["-f", `${share}/scripts/database/${name}.postgresql.sql`]);
    await perl(readFileSync(join(here, "prepare.pl"), "utf8"), [
      join(folder, "web-service.yml"),
      webService,
      account.username,
      account.password,
      admin.password,
    ]);
  };
  const serve = async () => {
    const log = openSync(join(folder, "server.log"), "a");
    const flags = [
      "--server",
      "Starlet",
      "--env",
      "deployment",
      "--host",
      "127.0.0.1",
      "--port",
      String(port),
    ];
    const workers = ["--max-workers", String(needs.workers ?? 4), "--max-reqs-per-child", "1000"];
    const server = spawn("/usr/bin/plackup", [...flags, ...workers, "--app", join(folder, "app.psgi")], {
      ...options,
      stdio: ["ignore", log, log],
    });
    server.unref();
    pid = server.pid ?? null;
    for (let tries = 0; !(await isReady(url)); tries += 1) {
      if (tries > 240 || server.exitCode !== null)
        throw new Error(`Znuny did not start: ${readFileSync(join(folder, "server.log"), "utf8")}`);
      await wait(250);
    }
  };
  try {
    layOut();
    if (needs.contents === undefined) await setUp();
    await serve();
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    url,
    webService,
    ...account,
    admin,
    timeZone,
    database: { host: "127.0.0.1", port: databasePort, user: "portage", database: "znuny" },
    perl,
    async keepContents(target) {
      if (pid !== null) await endProcess(pid);
      database.stop();
      execFileSync("cp", ["--archive", database.data, join(target, "data")]);
      cpSync(join(home, "Kernel/Config/Files"), join(target, "settings"), {
        recursive: true,
        filter: (from) => !/\.xml$|\/XML$/.test(from),
      });
    },
    stop,
  };
};

/** A real Znuny on loopback, with its own database and data folder. */
export const startZnuny = (needs: ZnunyNeeds = {}): Promise<ZnunyServer> =>
  timed("Znuny", () => start(needs));

// `npm run prove:compose`: a clean clone becomes images and a running composition, with podman on a Debian machine that
// needs no container registry. In the middle of a move each container is killed, then all are taken down and started again.
// All data are removed, and a dump is loaded as its page says. In each network only the intended ports answer, the service's role
// can't change the schema, and no secret is in image, history, inspect or logs. PostgreSQL is Debian's 15 under the image's name.
// Needs root, and the packages that deploy/podman/engine.ts names.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { makeBaseImages } from "../../deploy/podman/base-images.ts";
import { buildImage } from "../../deploy/podman/build-image.ts";
import { type Composition, createComposition, readEnvFile } from "../../deploy/podman/composition.ts";
import { requireEngine, engineEnvironment, podman } from "../../deploy/podman/engine.ts";
import { comparableStandIn } from "../chaos/destination.ts";
import { clock, compareSides, judgeReport } from "../chaos/judge.ts";
import { createCustomerClient, type Side } from "../support/customer-client.ts";
import { freePort } from "../support/free-port.ts";
import { patienceMs } from "../support/patience.ts";
import { createPartnerClient } from "../support/partner-client.ts";
import { basic } from "../support/partners.ts";
import { prove } from "../support/proof.ts";
import { untilCompleted } from "../support/run-fixture.ts";
import { createEventReader, readSame } from "../load/outage/event-reader.ts";
import { createStandInControl } from "../tools/stand-in/control-client.ts";
import { dump, load } from "./dump-and-load.ts";
import { judgeImage } from "./judge-image.ts";
import { judgeSecrets, readSecrets } from "./judge-secrets.ts";
import { openPorts } from "./open-ports.ts";

const root = join(import.meta.dirname, "../..");
const project = "portage-proof";
const longestMs = 1_800_000;
const psql = (text: string) =>
  [
    "psql",
    "--username",
    "postgres",
    "--dbname",
    "portage",
    "--tuples-only",
    "--no-align",
    "--command",
    text,
  ] as const;
const ours = ["api", "worker", "restate", "postgres"];

/**
 * How long after its arrival a write may still take effect. The tool keeps to it however busy the machine is, and its connector
 * declares it: with less, a lookup finds nothing of a write that was sent just before the deadline, and its records are
 * written a second time.
 */
const lateWriteMs = 6_000;

/** What may answer in each network of the composition, to a container that knows every address. */
const intended: Readonly<Record<string, readonly string[]>> = {
  edge: ["api:3000"],
  app: ["api:3000", "api:9464", "worker:9080", "worker:9081", "worker:9464"],
  data: ["api:3000", "postgres:5432", "worker:9080", "worker:9081", "worker:9464"],
  engine: ["restate:5122", "restate:8080", "restate:9070", "worker:9080", "worker:9081", "worker:9464"],
};

/** What the containers said, and the ledger: which attempt wrote what, and when. */
const keepEvidence = (composition: Composition, logs: string): void => {
  const folder = join(root, "artifacts/compose");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "logs.txt"), `${logs}\n${composition.logs()}`);
  const ledger = "select stream, source_id, dest_id, state, reason, key_generation from ledger order by 1, 2";
  writeFileSync(join(folder, "ledger.txt"), composition.exec("postgres", ...psql(ledger)));
};

await prove("compose", async (proof) => {
  requireEngine();
  const times: Record<string, number> = {};
  const timed = async <T>(what: string, work: () => T | Promise<T>): Promise<T> => {
    const startedAt = performance.now();
    const result = await work();
    times[what] = Math.round((performance.now() - startedAt) / 100) / 10;
    proof.say(`${clock(Date.now())} ${String(times[what]).padStart(6)} s  ${what}`);
    return result;
  };

  const folder = mkdtempSync(join(tmpdir(), "portage-compose-"));
  proof.afterwards(() => rmSync(folder, { recursive: true, force: true }));
  const clone = join(folder, "portage");
  const git = (...args: string[]) => execFileSync("git", args, { encoding: "utf8" }).trim();
  await timed("a clean clone", () => git("clone", "--quiet", root, clone));
  const version = `0.0.0-${git("-C", clone, "rev-parse", "--short", "HEAD")}`;
  const image = `portage:${version}`;
  await timed("base images, as far as they are missing", makeBaseImages);
  await timed("the image", () => buildImage(clone, image, version));
  proof.afterwards(() => podman("image", "rm", "--force", image));
  const { megabytes, packages } = judgeImage(proof, image, version);

  // As docs/operators/install.md says.
  const deploy = join(clone, "deploy");
  await timed("secrets", () =>
    execFileSync("sh", [join(deploy, "new-secrets.sh")], {
      env: { ...engineEnvironment(), ENGINE: "podman", VERSION: version },
      stdio: "pipe",
    }),
  );
  const secrets = readSecrets(join(deploy, "secrets"));
  const [port, operatorPort, controlPort] = [await freePort(), await freePort(), await freePort()];
  const records = proof.size(6_000, 1_500);
  const counts = {
    users: 20,
    groups: 5,
    tickets: Math.round(records * 0.4),
    comments: Math.round(records * 0.6),
  };
  cpSync(join(deploy, ".env.example"), join(deploy, ".env"));
  const url = `http://127.0.0.1:${port}`;
  const settings = {
    VERSION: version,
    PUBLIC_URL: url,
    PUBLISHED_PORT: port,
    PUBLISHED_OPERATOR_PORT: operatorPort,
    // shorter than the default, so that the engine soon replaces a lost worker
    RUN_LEASE_MS: 15_000,
    RUN_WRITE_MS: 8_000,
    STAND_IN_CONTROL_PORT: controlPort,
    STAND_IN_LATE_WRITE_MS: lateWriteMs,
  };
  writeFileSync(
    join(deploy, ".env"),
    `${readFileSync(join(deploy, ".env"), "utf8")}\n${Object.entries(settings)
      .map(([name, value]) => `${name}=${value}\n`)
      .join("")}`,
  );
  const composition = createComposition({
    files: [join(deploy, "compose.yaml"), join(clone, "test/compose/compose.yaml")],
    variables: {
      ...readEnvFile(readFileSync(join(deploy, ".env"), "utf8")),
      STAND_IN_OPTIONS: JSON.stringify({
        counts,
        lean: true,
        hostile: false,
        largeText: 0,
        lateWriteMs,
      }).replaceAll('"', '\\"'),
    },
    project,
  });
  composition.down({ volumes: true });
  proof.afterwards(() => composition.down({ volumes: true }));
  await timed("up, all healthy", () => composition.up());

  for (const name of ours) {
    const [{ Config, HostConfig }] = JSON.parse(podman("inspect", composition.containerOf(name))) as [
      {
        Config: { User: string };
        HostConfig: { Memory: number; PidsLimit: number; ReadonlyRootfs: boolean };
      },
    ];
    proof.holds(
      `${name} is not root, has a read-only root, and limits`,
      !/^(0|root|)(:|$)/.test(Config.User) &&
        HostConfig.ReadonlyRootfs &&
        HostConfig.Memory > 0 &&
        HostConfig.PidsLimit > 0,
      { user: Config.User, memory: HostConfig.Memory, pids: HostConfig.PidsLimit },
    );
  }
  const connected = composition.exec(
    "postgres",
    ...psql(
      "select distinct usename, usesuper from pg_stat_activity join pg_user using (usename) where application_name like 'portage%'",
    ),
  );
  proof.holds(
    "the service connects as a role of its own, no superuser",
    connected === "portage_app|f",
    connected,
  );

  const cli = (...command: string[]): unknown =>
    JSON.parse(composition.exec("api", "portage", "--json", ...command));
  const token = await timed("partner and first token", () => {
    const { id } = cli(
      "partner",
      "create",
      "--name",
      "Acme",
      "--destination-tool",
      "stand-in-find",
      "--payer",
      "partner",
    ) as { id: string };
    return (cli("token", "issue", id, "--label", "first") as { token: string }).token;
  });
  const judgeDoctor = (when: string) => {
    const doctor = composition.exec("worker", "portage", "doctor");
    proof.holds(
      `${when}, portage doctor finds no problem, and that the service can't change the schema`,
      !/^problem/im.test(doctor) && /^ok +database role: portage_app can't change the schema$/m.test(doctor),
      doctor.split("\n").filter((line) => !line.startsWith("ok")),
    );
  };
  judgeDoctor("after the start");

  for (const [network, wanted] of Object.entries(intended)) {
    const open = openPorts(composition, { network, image, services: ours });
    proof.holds(
      `in the network ${network} only the intended ports answer`,
      open.join() === wanted.join(),
      open,
    );
  }

  const control = createStandInControl(`http://127.0.0.1:${controlPort}`);
  const partner = createPartnerClient(url, token);
  const made = await partner.createImport({ source_tool: "stand-in", family: "helpdesk", start_full: true });
  const customer = createCustomerClient(url, made);
  const connect = async (side: Side) => {
    const account = await control.newAccount();
    await customer.connect(side, { instanceUrl: "http://stand-in:4100", token: account.token });
  };
  await connect("source");
  await connect("destination");
  const movedAt = performance.now();
  // The tool answers slowly while containers are killed and started, so that this is in the middle.
  const share = async () => (await control.stats()).written / records;
  const reach = async (wanted: number): Promise<number> => {
    await control.setWeather({ latencyMs: 20 });
    const giveUpAt = performance.now() + patienceMs;
    while ((await share()) < wanted) {
      if (performance.now() > giveUpAt)
        throw new Error(`The move does not get to ${wanted}: ${await share()}.`);
      await sleep(50);
    }
    await control.setWeather({ latencyMs: 4_000 });
    return Math.round((await share()) * 100);
  };
  let logs = "";
  for (const [index, name] of ours.entries()) {
    const reached = await reach(0.12 * (index + 1));
    const pid = () => Number(podman("inspect", composition.containerOf(name), "--format", "{{.State.Pid}}"));
    const before = pid();
    await timed(`${name} killed at ${reached} %, healthy again`, async () => {
      process.kill(before, "SIGKILL");
      await composition.untilRestarted(name, before);
    });
  }
  const reached = await reach(0.6);
  logs += composition.logs();
  await timed(`taken down at ${reached} %`, () => composition.down({ keep: ["stand-in"] }));
  await timed("up again, all healthy", () => composition.up());
  const after = Math.round((await share()) * 100);
  proof.holds("the move was in its middle all the time", after < 90, after);
  await control.setWeather({ latencyMs: 5 });
  await untilCompleted({ customer }, longestMs);
  times["the move"] = Math.round((performance.now() - movedAt) / 100) / 10;
  const judged = comparableStandIn(control);
  const { lost, doubled, differing } = await compareSides(proof, judged, null);
  if (lost + doubled + differing > 0) keepEvidence(composition, logs);
  proof.holds("nothing is lost, doubled or different", lost + doubled + differing === 0, {
    lost,
    doubled,
    differing,
  });
  await judgeReport(proof, judged, {
    customer,
    items: async () => (await partner.showImport(made.id)).items,
  });

  const dumped = join(folder, "portage.dump");
  await timed("a dump", () => dump(composition, dumped));
  const told = async () =>
    JSON.stringify([await partner.showImport(made.id), await customer.show(), await customer.report()]);
  const before = await told();
  const newReader = () => createEventReader(url, { authorization: basic(token) });
  const reader = newReader();
  await reader.readOn();
  const read = reader.seen.length;
  logs += composition.logs();
  await timed("all data lost, the dump loaded, all healthy", () =>
    load(composition, dumped, { keep: ["stand-in"] }),
  );
  const afterwards = await told();
  proof.holds(
    "after a dump was loaded, partner and customer see the same import",
    afterwards === before,
    afterwards === before ? { bytes: before.length } : { before, afterwards },
  );
  judgeDoctor("after a dump was loaded");
  const { id } = await partner.createImport({ source_tool: "stand-in", family: "helpdesk" });
  await partner.cancelImport(id);
  for (const giveUpAt = performance.now() + 60_000; reader.seen.length === read; await sleep(500)) {
    if (performance.now() > giveUpAt) break;
    await reader.readOn();
  }
  const fresh = newReader();
  await fresh.readOn();
  proof.holds(
    "a reader that kept its cursor has each event once, and those that came since",
    read > 0 && reader.seen.length > read && reader.restarts === 0 && readSame(reader, fresh),
    { events: [read, reader.seen.length] },
  );
  logs += composition.logs();
  judgeSecrets(proof, composition, { image, secrets: [...secrets, token], logs });
  return { records, megabytes, packages, lost, doubled, differing, times };
});

import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** What these programs keep between runs: base images, which take minutes to make. */
export const cacheFolder = join(homedir(), ".cache/portage/containers");

/** What this process may have, in containers too: not every root may raise it, and podman gives itself no more processes than ids. */
const ulimits = (): string => {
  const limits = readFileSync("/proc/self/limits", "utf8");
  const hard = (line: string) =>
    Number(new RegExp(`^${line} +\\w+ +(\\d+)`, "m").exec(limits)?.[1] ?? 65_536);
  const processes = Math.min(hard("Max processes"), Number(readFileSync("/proc/sys/kernel/pid_max", "utf8")));
  const files = hard("Max open files");
  return `"nofile=${files}:${files}", "nproc=${processes}:${processes}"`;
};

/** Settings of the machine's own podman stay as they are. This needs neither systemd nor the second version of cgroups. */
const containersConf = () => `[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
[containers]
log_driver = "k8s-file"
default_ulimits = [${ulimits()}]
[network]
# said here: a podman that ran once before netavark was installed remembers the other one, which resolves no names
network_backend = "netavark"
`;

/** A store of its own: images made here have the names of official ones, and must not stand in for them elsewhere. */
const storageConf = () => `[storage]
driver = "overlay"
graphroot = "${cacheFolder}/images"
runroot = "/run/portage-containers"
`;

const createEnvironment = (): NodeJS.ProcessEnv => {
  mkdirSync(cacheFolder, { recursive: true });
  writeFileSync(join(cacheFolder, "containers.conf"), containersConf());
  writeFileSync(join(cacheFolder, "storage.conf"), storageConf());
  return {
    ...process.env,
    CONTAINERS_CONF: join(cacheFolder, "containers.conf"),
    CONTAINERS_STORAGE_CONF: join(cacheFolder, "storage.conf"),
  };
};

let created: NodeJS.ProcessEnv | undefined;
/** For programs that start podman themselves. */
export const engineEnvironment = (): NodeJS.ProcessEnv => (created ??= createEnvironment());

export interface Ran {
  readonly status: number | null;
  /** Both streams, as far as the command printed them. */
  readonly text: string;
}

/** The last lines of what a command printed: enough to see why it failed. */
const tailOf = (text: string) => text.trim().split("\n").slice(-30).join("\n");

const largestOutput = 256 * 1024 * 1024;

/** Runs podman, buildah or a tool beside them; the result is its standard output. */
export const run = (program: string, args: readonly string[], input?: string): string => {
  try {
    return execFileSync(program, args, {
      encoding: "utf8",
      env: engineEnvironment(),
      input: input ?? "",
      stdio: ["pipe", "pipe", "pipe"],
      maxBuffer: largestOutput,
    }).trim();
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    throw new Error(`${program} ${args.slice(0, 3).join(" ")} failed:\n${tailOf(`${stdout}\n${stderr}`)}`, {
      cause: error,
    });
  }
};

export const podman = (...args: readonly string[]): string => run("podman", args);
export const buildah = (...args: readonly string[]): string => run("buildah", args);

/** For commands that may fail. */
export const tryPodman = (...args: readonly string[]): Ran => {
  const { status, stdout, stderr } = spawnSync("podman", args, {
    encoding: "utf8",
    env: engineEnvironment(),
    maxBuffer: largestOutput,
  });
  return { status, text: `${stdout}${stderr}` };
};

const programs = ["podman", "buildah", "runc", "netavark", "aardvark-dns", "iptables", "debootstrap"];
const places = ["/usr/bin", "/usr/sbin", "/usr/lib/podman"];

/** Throws with the command that installs what is missing: nothing here may pass because it could not run. */
export const requireEngine = (): void => {
  if (process.getuid?.() !== 0) throw new Error("Containers are started as root here: run this as root.");
  const missing = programs.filter(
    (name) =>
      spawnSync(
        "test",
        places.flatMap((place, i) => [...(i ? ["-o"] : []), "-x", `${place}/${name}`]),
      ).status !== 0,
  );
  if (missing.length > 0)
    throw new Error(
      `There is no ${missing.join(", ")}. On Debian: apt-get install --no-install-recommends ${programs.join(" ")}`,
    );
};

// Namespaces for one run: a network, in which packets can be lost, and a small disk, which can be full. The machine notices
// nothing. Needs root on Linux; without them the run goes on without these faults, and says so.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const variable = "PORTAGE_CHAOS_DISK";
const diskSize = "6g";

const prepared = `ip link set lo up && mount -t tmpfs -o size=${diskSize},mode=1777 tmpfs "$1"`;
const rules = [
  "iptables -A OUTPUT -p tcp -m owner --gid-owner 1 --dport 1 -j CONNMARK --set-mark 1",
  "iptables -A INPUT -p tcp --sport 1 -m connmark --mark 1 -j DROP",
  "iptables -A INPUT -p tcp --dport 1 -m statistic --mode random --probability 0.1 -j DROP",
];
const own = (script: string, disk: string, words: readonly string[] = []) => [
  "--net",
  "--mount",
  "--",
  "sh",
  "-c",
  `${prepared} && ${script}`,
  "sh",
  disk,
  ...words,
];

export interface Space {
  /** The folder where the disk is mounted. */
  readonly disk: string;
}

/** The namespaces that this process runs in; null: it shares those of the machine. */
export const space: Space | null = process.env[variable] ? { disk: process.env[variable] } : null;

/** Starts this program again in namespaces of its own and ends with it. Returns if that is impossible here. */
export const enterOwnSpace = async (): Promise<void> => {
  if (space || process.getuid?.() !== 0) return;
  const disk = mkdtempSync(join(tmpdir(), "portage-chaos-"));
  const remove = () => rmSync(disk, { recursive: true, force: true });
  if (spawnSync("unshare", own(rules.join(" && "), disk), { stdio: "ignore" }).status !== 0) return remove();
  const words = ["unshare", ...own('shift && exec "$@"', disk, [process.execPath, ...process.argv.slice(1)])];
  const child = spawn("setpriv", ["--pdeathsig", "KILL", "--", ...words], {
    stdio: "inherit",
    env: { ...process.env, TMPDIR: disk, [variable]: disk },
  });
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void child.kill(signal));
  const code = await new Promise<number | null>((resolve) => {
    child.once("close", resolve);
  });
  remove();
  process.exit(code ?? 1);
};

const words = (text: string) => text.split(" ").filter((word) => word !== "");

/** Adds rules to the firewall; the answer takes them out again. */
export const withRules = (...asked: readonly string[]): (() => void) => {
  for (const rule of asked) execFileSync("iptables", ["-A", ...words(rule)]);
  return () => {
    for (const rule of asked) execFileSync("iptables", ["-D", ...words(rule)]);
  };
};

/** Leaves no room on the disk; the answer gives it back. */
export const fillDisk = ({ disk }: Space): (() => void) => {
  const resize = (size: string) => execFileSync("mount", ["-o", `remount,size=${size}`, disk]);
  const used = execFileSync("df", ["--output=used", "--block-size=1K", disk], { encoding: "utf8" });
  resize(`${Number(used.trim().split("\n").at(-1)) + 64}k`);
  return () => void resize(diskSize);
};

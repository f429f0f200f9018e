import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readMigrations } from "../../../server/src/platform/migrate.ts";
import { linkPackages } from "../../support/repository-copy.ts";

const root = join(import.meta.dirname, "../../..");
const git = (...args: readonly string[]) =>
  execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();

/** While nothing is released: the last commit before a series of seven migrations. */
const beforeReleases = "4700cc40a69182a66ff0051f7533d0e028d99345";

/** The newest tag of a release that this commit descends from. */
const newestTag = (): string | null => {
  try {
    return git("describe", "--tags", "--abbrev=0", "--match", "v*", "HEAD^");
  } catch {
    return null;
  }
};

export interface PreviousRelease {
  readonly root: string;
  readonly commit: string;
  /** Its migrations, which this release must begin with. */
  readonly migrations: number;
  remove(): void;
}

/** The files of an earlier commit, with the packages of this one: by default the release before. */
export const checkOutPrevious = async (wanted: string | undefined): Promise<PreviousRelease> => {
  const commit = git("rev-parse", "--verify", `${wanted ?? newestTag() ?? beforeReleases}^{commit}`);
  const folder = mkdtempSync(join(tmpdir(), "portage-previous-"));
  const files = execFileSync("git", ["archive", "--format=tar", commit], { cwd: root, maxBuffer: 1024 ** 3 });
  execFileSync("tar", ["-x", "-C", folder], { input: files });
  linkPackages(root, folder);
  const own = await readMigrations();
  const earlier = await readMigrations(join(folder, "server/migrations"));
  const changed = earlier.find(({ checksum }, index) => own[index]?.checksum !== checksum);
  if (changed)
    throw new Error(`${commit} has another ${changed.name}: this release does not follow from it.`);
  return {
    root: folder,
    commit,
    migrations: earlier.length,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
};

/** Whether its `portage migrate` has this option. */
export const knowsOption = ({ root: folder }: PreviousRelease, option: string): boolean =>
  readFileSync(join(folder, "server/src/main/commands/migrate.ts"), "utf8").includes(option);

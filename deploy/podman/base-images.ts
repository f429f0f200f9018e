import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { restateBinary } from "../../server/dev/restate.ts";
import { readCompose } from "../compose-file.ts";
import { readDockerfile } from "../dockerfile.ts";
import { buildah, cacheFolder, run, tryPodman } from "./engine.ts";

const deploy = join(import.meta.dirname, "..");
const path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** What an engine makes of a short name. */
const fullName = (image: string) => (image.includes("/") ? image : `docker.io/library/${image}`);

/** The images that deploy/ begins with, by their names there. */
export const baseNames = () => {
  const [node] = readDockerfile(readFileSync(join(deploy, "Dockerfile"), "utf8"))
    .filter(({ name }) => name === "FROM")
    .map(({ value }) => value.split(" ")[0]);
  const { services } = readCompose(readFileSync(join(deploy, "compose.yaml"), "utf8"));
  const [postgres, restate] = [services["postgres"]?.image, services["restate"]?.image];
  if (!node || !postgres || !restate) throw new Error("deploy/ names no images to begin with.");
  return { node, postgres, restate };
};

/** Where this machine's apt has Debian from. */
const mirror = () => {
  const [first] = run("apt-get", [
    "indextargets",
    "--format",
    "$(REPO_URI)",
    "Created-By: Packages",
    "Codename: bookworm",
  ]).split("\n");
  if (!first) throw new Error("apt knows no mirror of Debian bookworm: run apt-get update.");
  return first;
};

/** A Debian without anything that the machine which made it would leave behind. */
const debian = (name: string, packages: readonly string[]): string => {
  const folder = join(cacheFolder, name);
  if (existsSync(folder)) return folder;
  const unfinished = `${folder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(join(cacheFolder, "packages"), { recursive: true });
  run("debootstrap", [
    "--variant=minbase",
    `--cache-dir=${join(cacheFolder, "packages")}`,
    `--include=${["ca-certificates", ...packages].join(",")}`,
    "bookworm",
    unfinished,
    mirror(),
  ]);
  writeFileSync(join(unfinished, "etc/apt/sources.list"), "");
  for (const left of ["var/cache/apt", "var/lib/apt/lists", "var/log", "etc/resolv.conf", "etc/hostname"])
    rmSync(join(unfinished, left), { recursive: true, force: true });
  renameSync(unfinished, folder);
  return folder;
};

/** Makes an image of a Debian: `fill` changes its files, `settings` are those of `buildah config`. */
const make = (
  name: string,
  from: string,
  fill: (root: string) => void,
  settings: readonly string[],
): void => {
  const container = buildah("from", "scratch");
  try {
    buildah("add", "--quiet", container, from, "/");
    fill(buildah("mount", container));
    buildah("umount", container);
    buildah("config", "--env", `PATH=${path}`, ...settings, container);
    buildah("commit", "--quiet", container, fullName(name));
  } finally {
    buildah("rm", container);
  }
};

const makeNode = (name: string): void => {
  const wanted = /:([\d.]+)/.exec(name)?.[1];
  if (process.version !== `v${wanted}`)
    throw new Error(
      `The image is made of the Node that runs this: it is ${process.version}, not v${wanted}.`,
    );
  const installed = dirname(dirname(process.execPath));
  make(
    name,
    debian("debian", []),
    (root) => {
      const local = join(root, "usr/local");
      cpSync(process.execPath, join(local, "bin/node"));
      cpSync(join(installed, "lib/node_modules/npm"), join(local, "lib/node_modules/npm"), {
        recursive: true,
      });
      for (const command of ["npm", "npx"])
        run("ln", ["-s", `../lib/node_modules/npm/bin/${command}-cli.js`, join(local, "bin", command)]);
      run("chown", ["-R", "0:0", local]);
      run("chroot", [root, "useradd", "--uid", "1000", "--user-group", "--create-home", "node"]);
    },
    ["--cmd", '["node"]'],
  );
};

/** Debian's PostgreSQL is older than the tag says: what it stands for is how the composition uses it. */
const makePostgres = (name: string): void =>
  make(
    name,
    debian("debian-postgresql", ["postgresql-15"]),
    (root) => {
      rmSync(join(root, "etc/postgresql"), { recursive: true, force: true });
      rmSync(join(root, "var/lib/postgresql"), { recursive: true, force: true });
      run("chroot", [root, "usermod", "--uid", "999", "postgres"]);
      run("chroot", [root, "groupmod", "--gid", "999", "postgres"]);
      run("chroot", [root, "install", "-d", "-o", "postgres", "-g", "postgres", "/var/lib/postgresql/data"]);
      run("chroot", [
        root,
        "install",
        "-d",
        "-o",
        "postgres",
        "-g",
        "postgres",
        "-m",
        "3777",
        "/var/run/postgresql",
      ]);
      run("chroot", [root, "install", "-d", "/docker-entrypoint-initdb.d"]);
      run("install", [
        join(import.meta.dirname, "postgres/docker-entrypoint.sh"),
        join(root, "usr/local/bin/docker-entrypoint.sh"),
      ]);
    },
    [
      "--entrypoint",
      '["docker-entrypoint.sh"]',
      "--cmd",
      "postgres",
      "--stop-signal",
      "SIGINT",
      "--volume",
      "/var/lib/postgresql/data",
      "--env",
      "PGDATA=/var/lib/postgresql/data",
      "--env",
      `PATH=/usr/lib/postgresql/15/bin:${path}`,
    ],
  );

/** The server as npm has it. As in the official image, it is root unless the composition says otherwise. */
const makeRestate = (name: string): void =>
  make(
    name,
    debian("debian", []),
    (root) => run("install", [restateBinary(), join(root, "usr/local/bin/restate-server")]),
    ["--entrypoint", '["/usr/local/bin/restate-server"]'],
  );

/** Makes what is missing of the images that deploy/ begins with, from Debian's packages and npm's; returns what it made. */
export const makeBaseImages = (): readonly string[] => {
  const { node, postgres, restate } = baseNames();
  const makers = [
    [node, makeNode],
    [postgres, makePostgres],
    [restate, makeRestate],
  ] as const;
  const missing = makers.filter(([name]) => tryPodman("image", "exists", fullName(name)).status !== 0);
  for (const [name, maker] of missing) maker(name);
  return missing.map(([name]) => name);
};

interface LockedPackage {
  readonly version?: string;
  readonly integrity?: string;
  /** Where the package comes from; npm leaves it out for packages of the registry. A folder for those of this repository. */
  readonly resolved?: string;
  /** A package of this repository. */
  readonly link?: boolean;
  /** Part of the tarball of the package around it, whose digest covers it. */
  readonly inBundle?: boolean;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

export interface LockFile {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

interface Missing {
  readonly name: string;
  readonly version: string;
  readonly dev: boolean;
}

/** Where Node looks for a dependency of the package at `path`. */
const lookedUpAt = (path: string, name: string): readonly string[] => {
  const places = [`${path}/node_modules/${name}`];
  for (let at = path; at.includes("node_modules/"); ) {
    at = at.slice(0, at.lastIndexOf("node_modules/"));
    places.push(`${at}node_modules/${name}`);
  }
  return [...places, `node_modules/${name}`];
};

/**
 * The optional packages that are missing from the lock file. npm leaves out those for other platforms that it
 * could not fetch or did not need, and `npm ci` then rejects the file.
 */
export const missingFromLock = ({ packages }: LockFile): readonly Missing[] =>
  Object.entries(packages).flatMap(([path, { optionalDependencies = {}, dev = false }]) =>
    Object.entries(optionalDependencies)
      .filter(([name]) => !lookedUpAt(path, name).some((place) => place in packages))
      .map(([name, version]) => ({ name, version, dev })),
  );

/** Packages of the registry without a digest: npm would install whatever the registry, or a proxy, sends. */
export const withoutIntegrity = ({ packages }: LockFile): readonly string[] =>
  Object.entries(packages)
    .filter(([path, { link, inBundle }]) => path.includes("node_modules/") && !link && !inBundle)
    .filter(([, { integrity = "" }]) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity))
    .map(([path]) => path);

/** Packages that name their origin: a mirror that the author's machine used, or no registry at all. */
export const fromElsewhere = ({ packages }: LockFile): readonly string[] =>
  Object.entries(packages)
    .filter(([, { link, resolved }]) => !link && resolved !== undefined)
    .filter(([, { resolved = "" }]) => !resolved.startsWith("https://registry.npmjs.org/"))
    .map(([path]) => path);

const systems = new Set([
  "android",
  "darwin",
  "freebsd",
  "linux",
  "netbsd",
  "openbsd",
  "openharmony",
  "sunos",
  "win32",
]);
const processors = new Set([
  "arm",
  "arm64",
  "ia32",
  "loong64",
  "mips64el",
  "ppc64",
  "riscv64",
  "s390x",
  "wasm32",
  "x64",
]);

/** The platform in a package's name, in npm's format; without a platform npm would fetch the package everywhere. */
const platformOf = (name: string) => {
  const words = name.split(/[-/]/).map((word) => (word === "windows" ? "win32" : word));
  const cpu = words.find((word) => processors.has(word));
  const os = words.find((word) => systems.has(word));
  if (!cpu || (!os && cpu !== "wasm32"))
    throw new Error(`Which platform is ${name} for? Run npm install again.`);
  const musl = words.some((word) => word.startsWith("musl"));
  const glibc = words.some((word) => word.startsWith("gnu"));
  return {
    cpu: [cpu],
    ...(musl || glibc ? { libc: [musl ? "musl" : "glibc"] } : {}),
    ...(os ? { os: [os] } : {}),
  };
};

/** The name of the package at a path, such as `node_modules/a/node_modules/@b/c`. */
const nameAt = (path: string) => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);

/** The same lock file with an entry for each missing package and a digest in each entry, in npm's order. */
export const completeLock = (
  lock: LockFile,
  digestOf: (name: string, version: string) => string,
): LockFile => {
  const added = missingFromLock(lock).map(({ name, version, dev }) => [
    `node_modules/${name}`,
    { version, ...(dev ? { dev } : {}), optional: true, ...platformOf(name) },
  ]);
  const entries = { ...lock.packages, ...(Object.fromEntries(added) as LockFile["packages"]) };
  const digests = withoutIntegrity({ packages: entries }).map((path) => {
    const { version = "", ...others } = entries[path] ?? {};
    return [path, { version, integrity: digestOf(nameAt(path), version), ...others }];
  });
  const all = { ...entries, ...(Object.fromEntries(digests) as LockFile["packages"]) };
  const sorted = Object.entries(all).toSorted(([a], [b]) => a.localeCompare(b, "en"));
  return { ...lock, packages: Object.fromEntries(sorted) };
};

interface LockedPackage {
  readonly version?: string;
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
  const words = name.split(/[-/]/);
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

/** The same lock file with an entry for each missing package, in npm's order. */
export const completeLock = (lock: LockFile): LockFile => {
  const added = missingFromLock(lock).map(({ name, version, dev }) => [
    `node_modules/${name}`,
    { version, ...(dev ? { dev } : {}), optional: true, ...platformOf(name) },
  ]);
  const all = { ...lock.packages, ...(Object.fromEntries(added) as LockFile["packages"]) };
  const sorted = Object.entries(all).toSorted(([a], [b]) => a.localeCompare(b, "en"));
  return { ...lock, packages: Object.fromEntries(sorted) };
};

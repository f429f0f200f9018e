// `npm run build:packages` builds the published packages: JavaScript and types, in dist/packages/NAME. It packs the SDK
// to dist/downloads, from where the API serves it. `npm run build:packages -- sdk` builds it alone.
// Inside this repository Node runs the source; inside node_modules it does not strip types, so a package must be built.
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");

interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, string>>;
  readonly [key: string]: unknown;
}

/** In dependency order: the kit depends on the contract. */
export const publishedPackages = ["contract", "connector-kit", "sdk"];

export const packagesFolder = join(root, "dist/packages");

/** As the default of DOWNLOADS_FOLDER. */
const downloadsFolder = join(root, "dist/downloads");

/** `./src/http/index.ts` becomes the compiled file and its types; paths outside of the source stay unchanged. */
const builtExport = (source: string) => {
  const path = source.replace(/^\.\/src\//, "./lib/").replace(/\.ts$/, "");
  return source.endsWith(".ts") ? { types: `${path}.d.ts`, default: `${path}.js` } : source;
};

const builtManifest = ({ exports, private: _, ...manifest }: Manifest) => ({
  engines: { node: ">=22.19.0" }, // as undici requires
  ...manifest,
  exports: Object.fromEntries(Object.entries(exports).map(([name, source]) => [name, builtExport(source)])),
  files: ["lib", "README.md", "LICENSE"],
});

const compile = (name: string, target: string) => {
  const config = `${target}.tsconfig.json`;
  writeFileSync(
    config,
    JSON.stringify({
      extends: join(root, "tsconfig.json"),
      compilerOptions: {
        noEmit: false,
        allowImportingTsExtensions: false,
        rewriteRelativeImportExtensions: true,
        declaration: true,
        rootDir: join(root, name, "src"),
        outDir: join(target, "lib"),
      },
      include: [join(root, name, "src")],
      exclude: [join(root, name, "src/**/*.test.ts")],
    }),
  );
  const { status, stdout } = spawnSync(join(root, "node_modules/.bin/tsc"), ["-p", config], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`${name} does not compile on its own:\n${stdout}`);
  // The compiler rewrites imports in JavaScript files, not in declaration files.
  for (const file of globSync("lib/**/*.d.ts", { cwd: target })) {
    const path = join(target, file);
    writeFileSync(
      path,
      readFileSync(path, "utf8").replace(/((?:from |import\()"\.{1,2}\/[^"]+)\.ts"/g, '$1.js"'),
    );
  }
};

/** The folder must be inside the repository, so that the compiler finds the types that the packages need. */
export const buildPackages = (folder = packagesFolder, names = publishedPackages): void => {
  rmSync(folder, { recursive: true, force: true });
  for (const name of names) {
    const target = join(folder, name);
    mkdirSync(target, { recursive: true });
    compile(name, target);
    const manifest = JSON.parse(readFileSync(join(root, name, "package.json"), "utf8")) as Manifest;
    writeFileSync(join(target, "package.json"), `${JSON.stringify(builtManifest(manifest), null, 2)}\n`);
    cpSync(join(root, "LICENSE"), join(target, "LICENSE"));
    cpSync(join(root, name, "README.md"), join(target, "README.md"));
  }
};

/** Packs a built package into a folder; returns the name of the file. */
export const packPackage = (built: string, folder: string): string => {
  mkdirSync(folder, { recursive: true });
  const printed = execFileSync("npm", ["pack", "--silent", "--pack-destination", folder], {
    cwd: built,
    encoding: "utf8",
  });
  return printed.trim().split("\n").at(-1) ?? "";
};

if (import.meta.main) {
  const [, , ...names] = process.argv;
  buildPackages(packagesFolder, names.length > 0 ? names : publishedPackages);
  rmSync(downloadsFolder, { recursive: true, force: true });
  packPackage(join(packagesFolder, "sdk"), downloadsFolder);
}

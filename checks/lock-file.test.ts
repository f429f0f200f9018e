import { expect, test } from "vitest";
import {
  completeLock,
  fromElsewhere,
  type LockFile,
  missingFromLock,
  withoutIntegrity,
} from "./lock-file.ts";

const integrity = `sha512-${"a".repeat(86)}==`;
const digestOf = (name: string, version: string) =>
  `sha512-${Buffer.from(`${name}@${version}`.padEnd(64, ".")).toString("base64")}`;

const lock: LockFile = {
  packages: {
    "": {},
    "node_modules/tool": {
      version: "2.0.0",
      dev: true,
      optionalDependencies: {
        "@tool/linux-x64": "2.0.0",
        "@tool/linux-arm64-musl": "2.0.0",
        "tool-win32-x64": "2.0.0",
        "@tool/windows-arm64": "2.0.0",
      },
    },
    "node_modules/@tool/linux-x64": { version: "2.0.0", dev: true, optional: true },
    "node_modules/a/node_modules/b": { version: "1.0.0", optionalDependencies: { c: "1.0.0", d: "1.0.0" } },
    "node_modules/a/node_modules/c": { version: "1.0.0" },
    "node_modules/d": { version: "1.0.0" },
  },
};

test("finds missing packages, wherever Node would look for them", () => {
  expect(missingFromLock(lock).map(({ name }) => name)).toEqual([
    "@tool/linux-arm64-musl",
    "tool-win32-x64",
    "@tool/windows-arm64",
  ]);
});

test("adds them with their platform, so that npm fetches them on no other platform", () => {
  const { packages } = completeLock(lock, digestOf);
  expect(packages["node_modules/@tool/linux-arm64-musl"]).toEqual({
    version: "2.0.0",
    integrity: digestOf("@tool/linux-arm64-musl", "2.0.0"),
    dev: true,
    optional: true,
    cpu: ["arm64"],
    libc: ["musl"],
    os: ["linux"],
  });
  expect(packages["node_modules/tool-win32-x64"]).toMatchObject({ cpu: ["x64"], os: ["win32"] });
  expect(packages["node_modules/@tool/windows-arm64"]).toMatchObject({ cpu: ["arm64"], os: ["win32"] });
  expect(missingFromLock({ packages })).toEqual([]);
  expect(packages).toMatchObject(lock.packages);
  expect(withoutIntegrity({ packages })).toEqual([]);
  expect(packages["node_modules/a/node_modules/b"]?.integrity).toBe(digestOf("b", "1.0.0"));
});

test("finds packages without a digest that npm would check", () => {
  const packages = {
    "": {},
    server: { version: "1.0.0" },
    "node_modules/@portage/server": { resolved: "server", link: true },
    "node_modules/fine": { version: "1.0.0", integrity },
    "node_modules/fine/node_modules/bundled": { version: "1.0.0", inBundle: true },
    "node_modules/none": { version: "1.0.0" },
    "node_modules/other-platform": { version: "1.0.0", optional: true, os: ["darwin"] },
    "node_modules/weak": { version: "1.0.0", integrity: "sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=" },
  };
  expect(withoutIntegrity({ packages })).toEqual([
    "node_modules/none",
    "node_modules/other-platform",
    "node_modules/weak",
  ]);
});

test("finds packages from another registry", () => {
  const at = (resolved: string) => ({ version: "1.0.0", integrity, resolved });
  const packages = {
    "node_modules/@portage/server": { resolved: "server", link: true },
    "node_modules/a": { version: "1.0.0", integrity },
    "node_modules/b": at("https://registry.npmjs.org/b/-/b-1.0.0.tgz"),
    "node_modules/c": at("https://mirror.example/c/-/c-1.0.0.tgz"),
    "node_modules/d": at("git+ssh://git@github.com/x/d.git"),
  };
  expect(fromElsewhere({ packages })).toEqual(["node_modules/c", "node_modules/d"]);
});

test("does not invent a platform", () => {
  const odd: LockFile = { packages: { "node_modules/x": { optionalDependencies: { "x-extras": "1.0.0" } } } };
  expect(() => completeLock(odd, digestOf)).toThrow("Which platform is x-extras for?");
});

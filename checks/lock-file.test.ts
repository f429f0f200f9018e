import { expect, test } from "vitest";
import { completeLock, type LockFile, missingFromLock } from "./lock-file.ts";

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
      },
    },
    "node_modules/@tool/linux-x64": { version: "2.0.0", dev: true, optional: true },
    "node_modules/a/node_modules/b": { version: "1.0.0", optionalDependencies: { c: "1.0.0", d: "1.0.0" } },
    "node_modules/a/node_modules/c": { version: "1.0.0" },
    "node_modules/d": { version: "1.0.0" },
  },
};

test("finds missing packages, wherever Node would look for them", () => {
  expect(missingFromLock(lock).map(({ name }) => name)).toEqual(["@tool/linux-arm64-musl", "tool-win32-x64"]);
});

test("adds them with their platform, so that npm fetches them on no other platform", () => {
  const { packages } = completeLock(lock);
  expect(packages["node_modules/@tool/linux-arm64-musl"]).toEqual({
    version: "2.0.0",
    dev: true,
    optional: true,
    cpu: ["arm64"],
    libc: ["musl"],
    os: ["linux"],
  });
  expect(packages["node_modules/tool-win32-x64"]).toMatchObject({ cpu: ["x64"], os: ["win32"] });
  expect(missingFromLock({ packages })).toEqual([]);
  expect(packages).toMatchObject(lock.packages);
});

test("does not invent a platform", () => {
  const odd: LockFile = { packages: { "node_modules/x": { optionalDependencies: { "x-extras": "1.0.0" } } } };
  expect(() => completeLock(odd)).toThrow("Which platform is x-extras for?");
});

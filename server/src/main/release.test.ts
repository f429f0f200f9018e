import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readRelease } from "./release.ts";

const tree = () => {
  const folder = mkdtempSync(join(tmpdir(), "portage-release-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const write = (file: string, text: string) => {
    mkdirSync(join(folder, dirname(file)), { recursive: true });
    writeFileSync(join(folder, file), text);
    return readRelease(folder);
  };
  write("server/src/engine/chunk.ts", "1");
  write("package-lock.json", "{}");
  return { first: write("connectors/redmine/index.ts", "1"), write };
};

test("the release changes with the worker's code and with its dependencies", () => {
  const { first, write } = tree();
  expect(first).toMatch(/^\d+\.\d+\.\d+-[0-9a-f]{12}$/);
  expect(tree().first).toBe(first);
  const changed = [
    write("server/src/engine/chunk.ts", "2"),
    write("connectors/redmine/index.ts", "2"),
    write("connector-kit/http/client.ts", "1"),
    write("package-lock.json", '{"packages":{}}'),
  ];
  expect(new Set([first, ...changed]).size).toBe(5);
});

test("tests, documents and installed packages do not change the release", () => {
  const { first, write } = tree();
  expect(write("server/src/engine/chunk.test.ts", "1")).toBe(first);
  expect(write("docs/adr/0001.md", "1")).toBe(first);
  expect(write("connectors/node_modules/x/index.ts", "1")).toBe(first);
});

test("the release needs no escaping in a URL", () => {
  expect(encodeURIComponent(readRelease())).toBe(readRelease());
});

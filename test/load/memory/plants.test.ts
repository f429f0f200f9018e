import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

const program = join(import.meta.dirname, "../memory.ts");

const proveWith = (plant: string, scale: string) => {
  const { status, stdout } = spawnSync(process.execPath, [program, "--scale", scale, "--plant", plant], {
    encoding: "utf8",
  });
  const figures = JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as { broken: string[] };
  return { status, broken: figures.broken };
};

// Each stands for a bound: one that nothing can break shows nothing. As many as break it by far.
test.each([
  ["hold-pages", "records", "0.06"],
  ["hold-files", "files", "0.01"],
])("%s breaks the bounds of %s", { timeout: 180_000 }, (plant, what, scale) => {
  const { status, broken } = proveWith(plant, scale);
  expect(status).toBe(1);
  expect(broken).toEqual(
    expect.arrayContaining([
      `${what}: peak memory minus idle at most 64 MB`,
      `${what}: at most 8 MB more in use at the end than when idle`,
    ]),
  );
});

// `npm run prove:memory-plants`: checks that the bounds can fail. Each injected defect must exceed the bounds of its
// part by far.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { prove } from "../../support/proof.ts";

const program = join(import.meta.dirname, "../memory.ts");

const plants = [
  { plant: "hold-pages", what: "records", scale: "0.06" },
  { plant: "hold-files", what: "files", scale: "0.01" },
];

await prove("memory-plants", async (proof) => {
  for (const { plant, what, scale } of plants) {
    const { status, stdout } = spawnSync(process.execPath, [program, "--scale", scale, "--plant", plant], {
      encoding: "utf8",
    });
    const { broken } = JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as { broken: string[] };
    const bounds = [
      `${what}: peak memory minus idle at most 64 MB`,
      `${what}: at most 8 MB more in use at the end than when idle`,
    ];
    proof.holds(
      `${plant} breaks the bounds of ${what}`,
      status === 1 && bounds.every((bound) => broken.includes(bound)),
      broken,
    );
  }
  return { plants: plants.length };
});

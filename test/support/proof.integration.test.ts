import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

const proof = join(import.meta.dirname, "proof.ts");

/** Runs a proof with this body in a process of its own, as the commands do. */
const run = (body: string, ...options: readonly string[]) => {
  const code = `const { prove } = await import(${JSON.stringify(proof)});
    await prove("acme", async (proof) => { ${body} return { rows: 3 }; });`;
  const { status, stdout } = spawnSync(
    process.execPath,
    ["--input-type=module", "-e", code, "--", ...options],
    { encoding: "utf8" },
  );
  const lines = stdout.trimEnd().split("\n");
  return { status, lines, result: JSON.parse(lines.at(-1) ?? "") as unknown };
};

test("a claim that is false fails the proof, which goes on", () => {
  const { status, lines, result } = run(
    'proof.holds("nothing is lost", false, 2); proof.holds("all ended", true);',
  );
  expect(status).toBe(1);
  expect(lines.slice(0, 2)).toEqual(["FAIL: nothing is lost (2)", "PASS: all ended"]);
  expect(result).toMatchObject({ proof: "acme", holds: false, rows: 3, broken: ["nothing is lost"] });
});

test("a bound that is not met fails it at full size alone", () => {
  const body = 'proof.meets("within 5 s", false, 6);';
  expect(run(body)).toMatchObject({ status: 1, result: { broken: ["within 5 s"] } });
  expect(run(body, "--scale", "0.5")).toMatchObject({
    status: 0,
    lines: ["measured, not judged: within 5 s (6)", expect.any(String)],
    result: { broken: [] },
  });
});

test("a goal that is missed is named, and the proof holds", () => {
  const body = 'proof.aims("a ratio of 0.9", false, 0.4); proof.aims("in one page", true);';
  expect(run(body)).toMatchObject({
    status: 0,
    lines: ["MISSED: a ratio of 0.9, NOT REACHED (0.4)", "REACHED: in one page", expect.any(String)],
    result: { holds: true, missed: ["a ratio of 0.9"], broken: [] },
  });
  expect(run(body, "--scale", "0.5")).toMatchObject({ status: 0, result: { missed: [] } });
});

test("a proof that throws does not hold", () => {
  expect(run('throw new Error("no tool");')).toMatchObject({
    status: 1,
    result: { holds: false, broken: ["the proof ran to its end"] },
  });
});

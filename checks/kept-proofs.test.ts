import { expect, test } from "vitest";
import { keptTable, openClaims, readKeptProof, unclaimedProofs } from "./kept-proofs.ts";

const commit = "a".repeat(40);
const history = (asked: string) => (asked === commit ? { day: "2026-11-17" } : null);
const scripts = ["prove:acme", "bench:acme"];
const good = (lines: readonly string[] = []) =>
  [
    `commit ${commit}`,
    "$ npm run prove:acme",
    ...lines,
    '{"proof":"acme","holds":true,"seconds":12.3}',
    "",
  ].join("\n");

test("a kept output names its commit, its command and its result", () => {
  expect(readKeptProof("acme.txt", good(), scripts, history)).toEqual({
    file: "acme.txt",
    commit,
    script: "prove:acme",
    seconds: 12.3,
    missed: [],
  });
});

test.each([
  ["no commit", good().replace("commit ", "at "), "its first line does not name a commit"],
  ["a commit of another history", good().replaceAll("a".repeat(40), "b".repeat(40)), "not in the history"],
  ["a script that is gone", good().replace("prove:acme", "prove:gone"), "does not name a script"],
  [
    "a part of its size",
    good().replace("run prove:acme", "run prove:acme -- --scale 0.1"),
    "a part of its size",
  ],
  ["a result that does not hold", good().replace("true", "false"), "not a result that holds"],
  ["no result", good().replace(/\{.*\}/, "done"), "not a result that holds"],
])("%s is a problem", (_, text, message) => {
  expect(readKeptProof("acme.txt", text, scripts, history)).toContain(message);
});

test("goals that were missed stand in the table", () => {
  const read = readKeptProof(
    "acme.txt",
    good(["ratio50: 0.44 times as fast; the goal is 0.9, NOT REACHED"]),
    scripts,
    history,
  );
  if (typeof read === "string") throw new Error(read);
  expect(keptTable([read], history)).toContain(
    "| [acme](acme.txt) | `npm run prove:acme` | 2026-11-17 | `aaaaaaaaaaaa` | 12 | ratio50: 0.44 times as fast; the goal is 0.9 |",
  );
});

test("a proof without a kept run is an open claim", () => {
  const read = readKeptProof("acme.txt", good(), scripts, history);
  if (typeof read === "string") throw new Error(read);
  expect(openClaims([read], [...scripts, "test:acme"])).toBe("- `npm run bench:acme`");
});

test("each proof stands in a table of claims; the table of kept runs is none", () => {
  const page = [
    "| All of it is there. | `npm run bench:acme` | |",
    "| [acme](acme.txt) | `npm run prove:acme` | 2026-11-17 |",
    "- `npm run prove:acme`",
  ].join("\n");
  expect(unclaimedProofs(page, [...scripts, "test:acme"])).toEqual(["prove:acme"]);
});

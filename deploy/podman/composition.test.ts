import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createComposition, readEnvFile } from "./composition.ts";

test("an environment file is read without its comments", () => {
  expect(readEnvFile("# A=1\nB=2=3\n\nC=\n")).toEqual({ B: "2=3", C: "" });
});

test("a later file adds to the earlier ones: maps are joined, lists appended, all else replaced", () => {
  const folder = mkdtempSync(join(tmpdir(), "portage-composition-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const files = [
    "services: {api: {image: '${IMAGE}', environment: {A: a, B: b}, volumes: [one]}}",
    "services: {api: {environment: {B: c}, volumes: [two]}, tool: {image: t}}",
  ].map((text, index) => {
    const file = join(folder, `${index}.yaml`);
    writeFileSync(file, text);
    return file;
  });
  const { file, containerOf } = createComposition({ files, variables: { IMAGE: "i" }, project: "p" });
  expect(file.services).toEqual({
    api: { image: "i", environment: { A: "a", B: "c" }, volumes: ["one", "two"] },
    tool: { image: "t" },
  });
  expect(containerOf("api")).toBe("p-api-1");
});

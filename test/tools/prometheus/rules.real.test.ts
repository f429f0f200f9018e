import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { installPrometheus } from "./prometheus.ts";

test("promtool accepts the alert rules", () => {
  installPrometheus();
  const rules = join(import.meta.dirname, "../../../deploy/prometheus/portage.rules.yaml");
  const said = execFileSync("/usr/bin/promtool", ["check", "rules", rules], { encoding: "utf8" });
  expect(said).toMatch(/SUCCESS: \d+ rules found/);
});

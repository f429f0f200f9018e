import { execFile } from "node:child_process";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { secret, startDesk } from "../../../examples/partner-app/test/running-desk.ts";

const desk = await startDesk();
afterAll(() => desk.close());

const { host } = new URL(desk.pages);

const check = (
  url: string,
  given: string,
  { allow = host, words = [] }: { allow?: string; words?: readonly string[] } = {},
) =>
  new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const cli = join(import.meta.dirname, "cli.ts");
    const env = { PATH: process.env["PATH"] ?? "", OUTBOUND_ALLOW: allow };
    const child = execFile(
      process.execPath,
      [cli, "destination", "check", url, ...words],
      { env },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
    child.stdin?.end(given);
  });

test("a conforming destination: the output names every check, and the exit code is 0", async () => {
  const { code, stdout, stderr } = await check(desk.url, `${secret}\n`);
  expect(stderr).toBe("");
  expect(code).toBe(0);
  for (const name of ["describe", "replayed", "at-once", "helpdesk/hostile", "clean-up"])
    expect(stdout).toMatch(new RegExp(`^ok +${name}: `, "m"));
  expect(stdout).toMatch(/^skipped +helpdesk\/key-field: /m);
  // The command counts no mails and adds nothing as people do, so these checks prove nothing, and are not counted as passed.
  expect(stdout).toMatch(/^skipped +helpdesk\/silent: /m);
  expect(stdout).toMatch(/^skipped +helpdesk\/others: /m);
  expect(stdout).toMatch(/^\d+ passed, 4 skipped, 0 failed, 0 blocked$/m);
  expect(stdout).not.toContain(secret.slice(6));
});

test("a wrong secret: the output names the failed check, and the exit code is 1", async () => {
  const { code, stdout } = await check(desk.url, "whsec_d3Jvbmcgc2VjcmV0IG9mIDMyIGJ5dGVz", {
    words: ["--json"],
  });
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    ok: false,
    checks: [{ name: "describe", verdict: "failed", why: "The destination does not accept this secret." }],
  });
});

test("an internal address is not called unless the operator allows it", async () => {
  const { code, stdout } = await check(desk.url, secret, { allow: "" });
  expect(code).toBe(1);
  expect(stdout).toContain("FAILED");
});

test("without a secret the error shows how to pass one", async () => {
  const { code, stderr } = await check(desk.url, "");
  expect(code).toBe(1);
  expect(stderr).toContain("< secret-file");
});

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { freePort } from "./free-port.ts";
import { spawnServer } from "./server-process.ts";

const folder = mkdtempSync(join(tmpdir(), "portage-server-process-"));
afterAll(() => rmSync(folder, { recursive: true }));
const token = `ptg_live_${"a1B2".repeat(8)}`;
const run = (
  code: string,
  more: { readonly env?: Record<string, string>; readonly logFile?: string } = {},
) => {
  const program = join(folder, "program.mjs");
  writeFileSync(program, `${code}; console.log("up"); setInterval(() => {}, 1e3)`);
  return spawnServer({ name: "A server", program, env: {}, ...more });
};
const up = (line: string) => (line === "up" ? line : undefined);

test("a process whose log has a secret fails at its end", async () => {
  const fine = run("console.log('ptg_live_…')");
  await fine.firstLine(up);
  await expect(fine.stop()).resolves.toMatchObject({ signal: "SIGTERM" });
  const leaking = run(`console.log(${JSON.stringify(token)})`);
  await leaking.firstLine(up);
  await expect(leaking.stop()).rejects.toThrow("A server shows secrets: a partner's token in its log");
});

test("so does one whose log goes to a file, or whose metrics have a secret", async () => {
  const logFile = join(folder, "a.log");
  const ending = run(`console.log(${JSON.stringify(token)}); process.exit(3)`, { logFile });
  await expect(ending.exited).rejects.toThrow("a partner's token in its log");
  const port = String(await freePort());
  const env = { METRICS_PORT: port, SMTP_URL: "smtp://portage:password-of-mail@127.0.0.1:1" };
  const shown = `import("node:http").then(({ createServer }) => createServer((_, out) =>
    out.end("a{url=\\"password-of-mail\\"} 1")).listen(${port}, "127.0.0.1", () => console.log("ready")))`;
  const measured = run(shown, { env });
  await measured.firstLine((line) => (line === "ready" ? line : undefined));
  await expect(measured.stop()).rejects.toThrow("A server shows secrets: SMTP_URL in its metrics");
});

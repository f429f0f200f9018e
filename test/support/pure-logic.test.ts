import { execFile, execFileSync, fork } from "node:child_process";
import { createSocket } from "node:dgram";
import { connect, createServer } from "node:net";
import { expect, test } from "vitest";

// This file is in the lane of pure logic, which refuses each of these.
test.each([
  ["connect", () => connect(1, "127.0.0.1")],
  [
    "fetch",
    () => fetch("http://127.0.0.1:8080/").catch((error: Error) => Promise.reject(error.cause as Error)),
  ],
  ["listen", () => createServer().listen(0)],
  ["bind", () => createSocket("udp4").bind(0)],
  ["execFile", () => execFile("true")],
  ["execFileSync", () => execFileSync("true")],
  ["fork", () => fork("nothing.js")],
])("refuses %s, and says what to do", async (_, open) => {
  await expect((async () => open())()).rejects.toThrow("name its file *.integration.test.ts");
});

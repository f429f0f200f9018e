import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import { type DestinationStream, type FamilyRecord, helpdesk } from "@portage/connector-kit";
import { createPlainTransport, createTestIo } from "@portage/connector-kit/testing";
import { afterAll, expect, test } from "vitest";
import { destinationProtocol } from "../../../connectors/destination-protocol/index.ts";
import type { Settings } from "../../../connectors/destination-protocol/settings.ts";
import { secret } from "./running-desk.ts";

const folder = mkdtempSync(join(tmpdir(), "ferry-crash-"));
const transport = createPlainTransport();
const children: ChildProcess[] = [];

const exited = (child: ChildProcess) =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise<void>((resolve) => {
        child.once("exit", () => resolve());
      });

afterAll(async () => {
  for (const child of children) {
    child.kill("SIGKILL");
    await exited(child);
  }
  await transport.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The desk as a separate process, on a store that other processes may have open. */
const startProcess = async (): Promise<{ child: ChildProcess; url: string }> => {
  const child = spawn(process.execPath, [join(import.meta.dirname, "../src/main.ts")], {
    env: { FERRY_SECRET: secret, FERRY_FOLDER: folder, FERRY_PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  const url = await new Promise<string>((resolve, reject) => {
    let text = "";
    child.stdout?.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      const found = /protocol at (\S+)/.exec(text)?.[1];
      if (found) resolve(found);
    });
    child.once("exit", () => reject(new Error("The desk did not start.")));
  });
  return { child, url };
};

const tickets = destinationProtocol.destination?.helpdesk?.find(
  ({ stream }) => stream.name === "tickets",
) as DestinationStream<FamilyRecord, Settings>;

const batchOf = (prefix: string, number: number) =>
  Array.from({ length: 50 }, (_, index) => ({
    key: `${prefix}:${number}:${index}`,
    id: null,
    record: helpdesk.tickets.make({
      id: `${number}-${index}`,
      subject: `${prefix} ${number} ${index}`,
      description: { format: "plain", text: "words ".repeat(200) },
      status: "open",
      statusKind: "open",
    }),
  }));

const write = (url: string, batch: ReturnType<typeof batchOf>) =>
  tickets.write(
    createTestIo({
      manifest: destinationProtocol.manifest,
      settings: { instanceUrl: url, token: secret },
      transport,
      retry: { attempts: 1 },
    }),
    batch,
  );

const countOf = (prefix: string) => {
  const database = new DatabaseSync(join(folder, "desk.sqlite"), { readOnly: true });
  const found = database
    .prepare(
      "select count(*) as n, count(distinct external_key) as keys from tickets where external_key like ?",
    )
    .get(`${prefix}:%`);
  database.close();
  return { rows: Number(found?.n), keys: Number(found?.keys) };
};

test("after a kill in the middle of batches and a restart, sending everything again leaves one of each", async () => {
  const batches = Array.from({ length: 40 }, (_, number) => batchOf("kill", number));
  let inDoubt = 0;
  let kills = 0;
  let waiting = batches;
  while (waiting.length > 0) {
    const { child, url } = await startProcess();
    const fatal = kills < 4;
    const killing = fatal ? wait(60 + 40 * kills).then(() => child.kill("SIGKILL")) : null;
    if (fatal) kills += 1;
    const left: typeof batches = [];
    for (const batch of waiting) {
      const outcomes = await write(url, batch);
      expect(outcomes.some(({ kind }) => kind === "rejected")).toBe(false);
      if (outcomes.some(({ kind }) => kind === "unknown")) {
        inDoubt += 1;
        left.push(batch);
      }
    }
    await killing;
    child.kill("SIGKILL");
    await exited(child);
    waiting = left;
  }
  expect(kills).toBeGreaterThan(0);
  expect(inDoubt).toBeGreaterThan(0);
  expect(countOf("kill")).toEqual({ rows: 2_000, keys: 2_000 });
});

test("the same batches sent to two processes in parallel leave one of each", async () => {
  const one = await startProcess();
  const two = await startProcess();
  const batches = Array.from({ length: 6 }, (_, number) => batchOf("both", number));
  const outcomes = await Promise.all(
    batches.flatMap((batch) => [write(one.url, batch), write(two.url, batch), write(one.url, batch)]),
  );
  expect(outcomes.flat().every(({ kind }) => kind === "written")).toBe(true);
  expect(countOf("both")).toEqual({ rows: 300, keys: 300 });
});

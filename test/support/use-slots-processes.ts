import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll } from "vitest";
import { createTestDatabase, type TestDatabase } from "./database.ts";
import type { SlotsDone, SlotsOrder } from "./slots-process.ts";

/** Separate processes that use one account, on a database of this file. */
export const useSlotsProcesses = () => {
  let db: TestDatabase;
  const children: ChildProcess[] = [];
  beforeAll(async () => {
    db = await createTestDatabase();
  });
  afterEach(() => {
    for (const child of children.splice(0)) child.kill("SIGKILL");
  });
  afterAll(() => db.drop());
  return (order: Omit<SlotsOrder, "url">) => {
    const child = fork(join(import.meta.dirname, "slots-process.ts"));
    children.push(child);
    child.send({ url: db.url, ...order });
    const starts: number[] = [];
    const done = new Promise<SlotsDone>((resolve) => {
      child.on("message", (message: { done?: SlotsDone; started?: number }) => {
        if (message.started !== undefined) starts.push(message.started);
        if (message.done) resolve(message.done);
      });
    });
    return { child, starts, done };
  };
};

import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, expect, test } from "vitest";
import { useSignIn } from "../../../../test/support/signed-in.ts";
import { createSealer } from "../../platform/seal.ts";
import { findTokens } from "./store-tokens.ts";
import { listConnections } from "./store.ts";

const key = randomBytes(32);
const sealer = createSealer([{ id: "k1", key }]);
const { parts, newImport, signIn } = useSignIn({ sealer });

const program = join(import.meta.dirname, "../../../../test/support/refresh-process.ts");
const children: ReturnType<typeof spawn>[] = [];
afterAll(() => {
  for (const child of children) child.kill("SIGKILL");
});

const startProcess = async (importId: string, dies = "") => {
  const child = spawn(process.execPath, [program], {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: parts.db.url,
      KEY: key.toString("base64"),
      IMPORT: importId,
      INSTANCE: parts.page.url,
      DIES: dies,
    },
    stdio: ["pipe", "pipe", "inherit"],
  });
  children.push(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const exited = new Promise<NodeJS.Signals | null>((resolve) => {
    child.once("exit", (_, signal) => resolve(signal));
  });
  expect((await lines.next()).value).toBe("ready");
  return {
    exited,
    tell: (spent: string) => void child.stdin.write(`${spent}\n`),
    refresh: async (spent: string) => {
      child.stdin.write(`${spent}\n`);
      return JSON.parse(String((await lines.next()).value)) as (string | null)[];
    },
  };
};

const accessOf = async (importId: string) =>
  (await findTokens(parts.db, sealer, { importId, side: "source" }))?.access.reveal() ?? "";

test("concurrent processes use each refresh token once", async () => {
  const found = await newImport();
  await signIn(found);
  const processes = await Promise.all([1, 2, 3].map(() => startProcess(found.id)));
  let spent = await accessOf(found.id);
  for (let round = 1; round <= 8; round += 1) {
    const renewed = (await Promise.all(processes.map(({ refresh }) => refresh(spent)))).flat();
    expect(new Set(renewed)).toEqual(new Set([await accessOf(found.id)]));
    expect(renewed[0]).not.toBe(spent);
    expect(parts.page.refreshes).toEqual({ used: round, reused: 0 });
    spent = renewed[0] ?? "";
  }
});

test("a process killed before it stored the new tokens costs one sign-in, and nothing hangs", async () => {
  const found = await newImport();
  await signIn(found);
  const spent = await accessOf(found.id);
  const doomed = await startProcess(found.id, "yes");
  doomed.tell(spent);
  expect(await doomed.exited).toBe("SIGKILL");
  const other = await startProcess(found.id);
  const answer = other.refresh(spent);
  await parts.db.pool.query(
    "update connections set refresh_until = now() - interval '1 second' where import_id = $1",
    [found.id],
  );
  expect(await answer).toEqual([null]);
  const stateOf = async () => (await listConnections(parts.db, sealer, found.id))[0]?.state;
  expect(await stateOf()).toBe("expired");
  expect((await signIn(found)).kind).toBe("connected");
  expect(await stateOf()).toBe("connected");
  const [renewed] = await other.refresh(await accessOf(found.id));
  expect(renewed).toBe(await accessOf(found.id));
});

import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createCli } from "../../../test/support/cli.ts";
import { readPart } from "./config.ts";

const folder = mkdtempSync(join(tmpdir(), "portage-key-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const portage = createCli({ PORTAGE_KEYS: "", PUBLIC_URL: "" });

test("restate key creates a private file and prints RESTATE_IDENTITY_KEYS; later it only reads the file", async () => {
  const file = join(folder, "identity.pem");
  const first = await portage.run("restate", "key", file);
  expect(first.code).toBe(0);
  const key = first.stdout.trim();
  expect(readPart(["RESTATE_IDENTITY_KEYS"], { RESTATE_IDENTITY_KEYS: key })).toEqual({
    RESTATE_IDENTITY_KEYS: [key],
  });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const pem = readFileSync(file, "utf8");
  expect(pem).toContain("PRIVATE KEY");
  expect(first.stdout + first.stderr).not.toContain(pem.split("\n")[1]);
  expect(await portage.json("restate", "key", file)).toEqual({ file, made: false, public_key: key });
  expect(readFileSync(file, "utf8")).toBe(pem);
});

test("restate key reports a file that holds no key or can't be written", async () => {
  const other = join(folder, "notes.txt");
  writeFileSync(other, "hello");
  expect(await portage.run("restate", "key", other)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("does not hold an Ed25519 key") as string,
  });
  expect(readFileSync(other, "utf8")).toBe("hello");
  expect(await portage.run("restate", "key", join(folder, "nowhere/key.pem"))).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("can't be written") as string,
  });
});

test("RESTATE_IDENTITY_KEYS rejects values that are not public keys", () => {
  for (const wrong of ["x", "publickeyv1_0OIl", "publickeyv1_"])
    expect(() => readPart(["RESTATE_IDENTITY_KEYS"], { RESTATE_IDENTITY_KEYS: wrong })).toThrow(
      "portage restate key",
    );
});

import { randomBytes } from "node:crypto";
import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { createLog } from "./log.ts";
import { createSealer, type KeyRing, SealError } from "./seal.ts";
import { Secret } from "./secret.ts";

const key = (id: string) => ({ id, key: randomBytes(32) });
const oldKey = key("k1");
const ring: KeyRing = [oldKey];
const secret = new Secret("s3cret 😀");

const codeOf = (work: () => unknown): string => {
  try {
    work();
    return "opened";
  } catch (error) {
    return error instanceof SealError ? error.code : "surprise";
  }
};

describe("a value sealed for an import", () => {
  const sealer = createSealer(ring);
  const dataKey = sealer.newDataKey("imp_a");
  const sealed = sealer.seal("imp_a", dataKey, "token", secret);

  test("opens to the original", () => {
    expect(sealer.open("imp_a", dataKey, "token", sealed).reveal()).toBe("s3cret 😀");
  });
  test("is different each time, and does not contain the plaintext", () => {
    expect(sealer.seal("imp_a", dataKey, "token", secret).equals(sealed)).toBe(false);
    expect(sealed.toString("latin1")).not.toContain("s3cret");
  });
  test("does not open as another field, for another import, or with another import's data key", () => {
    expect(codeOf(() => sealer.open("imp_a", dataKey, "other", sealed))).toBe("not_authentic");
    expect(codeOf(() => sealer.open("imp_b", dataKey, "token", sealed))).toBe("not_authentic");
    expect(codeOf(() => sealer.open("imp_a", sealer.newDataKey("imp_a"), "token", sealed))).toBe(
      "not_authentic",
    );
  });
  test("does not open when any byte was changed", () => {
    for (let at = 0; at < sealed.length; at++) {
      const altered = Buffer.from(sealed);
      altered[at] = (altered[at] ?? 0) ^ 1;
      expect(codeOf(() => sealer.open("imp_a", dataKey, "token", altered))).toBe("not_authentic");
    }
  });
  test("does not open when cut short", () => {
    for (const length of [0, 5, 12, 20, 28])
      expect(codeOf(() => sealer.open("imp_a", dataKey, "token", sealed.subarray(0, length)))).not.toBe(
        "opened",
      );
  });
  test("still opens after a rotation, as long as the old key is in the ring", () => {
    expect(
      createSealer([key("k2"), oldKey])
        .open("imp_a", dataKey, "token", sealed)
        .reveal(),
    ).toBe("s3cret 😀");
    expect(codeOf(() => createSealer([key("k2")]).open("imp_a", dataKey, "token", sealed))).toBe(
      "unknown_key",
    );
  });
});

test("fingerprints are equal only for equal texts, and depend on the key", () => {
  const one = createSealer(ring);
  const other = createSealer([key("k9")]);
  expect(one.fingerprint("a", "text").equals(one.fingerprint("a", "text"))).toBe(true);
  expect(one.fingerprint("a", "text").equals(one.fingerprint("b", "text"))).toBe(false);
  expect(one.fingerprint("a", "text").equals(other.fingerprint("a", "text"))).toBe(false);
});

test("while keys rotate, each process knows the fingerprints of the others", () => {
  const [before, after] = [key("k1"), key("k2")];
  const made = createSealer([before, after]).fingerprint("a", "text");
  const rotated = createSealer([after, before]);
  expect(rotated.isFingerprintOf("a", "text", made)).toBe(true);
  expect(rotated.isFingerprintOf("a", "other", made)).toBe(false);
  expect(createSealer([after]).isFingerprintOf("a", "text", made)).toBe(false);
});

test("a secret never appears in a log, JSON, string or inspection", () => {
  const lines: string[] = [];
  const log = createLog("info", { write: (line) => void lines.push(line) });
  log.info({ secret, nested: { list: [secret] } }, `text ${String(secret)}`);
  log.error(
    { err: Object.assign(new Error(`failed with ${String(secret)}`), { detail: "customer row", secret }) },
    "failed",
  );
  const seen = `${lines.join("")}${JSON.stringify({ secret })}${inspect(secret, { showHidden: true, depth: 9 })}${String(secret)}`;
  expect(seen).toContain("[secret]");
  expect(seen).not.toContain("s3cret");
  expect(seen).not.toContain("customer row");
});

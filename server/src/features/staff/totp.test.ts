import { describe, expect, test } from "vitest";
import { findTotpStep, newTotpSecret, totpCode, totpStep, totpUri } from "./totp.ts";

/** "12345678901234567890", the secret of the test vectors in RFC 6238. */
const secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";

describe("one-time codes", () => {
  test.each([
    [59, "287082"],
    [1_111_111_109, "081804"],
    [1_111_111_111, "050471"],
    [1_234_567_890, "005924"],
    [2_000_000_000, "279037"],
    [20_000_000_000, "353130"],
  ])("at second %i are those of RFC 6238, appendix B", (second, code) => {
    expect(totpCode(secret, totpStep(second * 1_000))).toBe(code);
  });

  test("are accepted one step early or late, and no more", () => {
    const now = 1_234_567_890_000;
    const step = totpStep(now);
    for (const off of [-1, 0, 1])
      expect(findTotpStep(secret, totpCode(secret, step + off), now)).toBe(step + off);
    for (const off of [-2, 2])
      expect(findTotpStep(secret, totpCode(secret, step + off), now)).toBeUndefined();
    expect(findTotpStep(secret, "", now)).toBeUndefined();
  });

  test("have a secret of 160 random bits, and an address for apps", () => {
    const made = new Set(Array.from({ length: 50 }, newTotpSecret));
    expect(made.size).toBe(50);
    for (const each of made) expect(each).toMatch(/^[A-Z2-7]{32}$/);
    expect(totpUri(secret, "jo@acme.example")).toBe(
      `otpauth://totp/Portage%3Ajo%40acme.example?secret=${secret}&issuer=Portage&digits=6&period=30`,
    );
  });
});

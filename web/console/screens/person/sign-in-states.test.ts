import { expect, test } from "vitest";
import { sessionState, tokenState } from "./sign-in-states.ts";

const now = new Date("2026-11-15T12:00:00Z");
const [before, after] = ["2026-11-15T11:59:00Z", "2026-11-15T12:01:00Z"];

test("a session is live until its end, its time without a call, or somebody ends it", () => {
  const live = { revoked_at: null, expires_at: after, idle_at: after };
  expect(sessionState(live, now)).toBe("live");
  expect(sessionState({ ...live, idle_at: before }, now)).toBe("over");
  expect(sessionState({ ...live, expires_at: before }, now)).toBe("over");
  expect(sessionState({ ...live, expires_at: before, revoked_at: before }, now)).toBe("ended");
});

test("a token is valid until it expires or is revoked", () => {
  expect(tokenState({ revoked_at: null, expires_at: after }, now)).toBe("valid");
  expect(tokenState({ revoked_at: null, expires_at: before }, now)).toBe("expired");
  expect(tokenState({ revoked_at: before, expires_at: after }, now)).toBe("revoked");
});

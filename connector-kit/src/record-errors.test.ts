import { expect, test } from "vitest";
import { ConnectorError, outcomeUnknown, type Recovery } from "./errors.ts";
import { catchRecordError, catchRemovalError } from "./record-errors.ts";

const failing = (recovery: Recovery, code: string) => async () => {
  throw new ConnectorError({ recovery, code, message: "It failed." });
};

test("an error that concerns one record becomes its outcome", async () => {
  const written = { kind: "written", id: "1" } as const;
  expect(await catchRecordError(async () => written)).toBe(written);
  const refused = { kind: "rejected", code: "too_long", message: "It failed." };
  expect(await catchRecordError(failing("skip-record", "too_long"))).toEqual(refused);
  const unknown = { kind: "unknown", why: "It failed." };
  expect(await catchRecordError(failing("retry", outcomeUnknown))).toEqual(unknown);
});

test("a removal that the tool refuses keeps the record", async () => {
  const removed = { kind: "removed" } as const;
  expect(await catchRemovalError(async () => removed)).toBe(removed);
  const kept = { kind: "kept", code: "closed", message: "It failed." };
  expect(await catchRemovalError(failing("skip-record", "closed"))).toEqual(kept);
  const unknown = { kind: "unknown", why: "It failed." };
  expect(await catchRemovalError(failing("retry", outcomeUnknown))).toEqual(unknown);
});

test("an error that concerns the whole batch, and any other error, is thrown on", async () => {
  await expect(catchRecordError(failing("retry", "busy"))).rejects.toMatchObject({ code: "busy" });
  await expect(catchRemovalError(failing("reauthorize", "refused"))).rejects.toMatchObject({
    code: "refused",
  });
  const mistake = new TypeError("x is not a function");
  await expect(catchRecordError(() => Promise.reject(mistake))).rejects.toBe(mistake);
});

import { expect, test } from "vitest";
import { readPart } from "../src/main/config.ts";
import { readAllowances } from "../src/platform/outbound/index.ts";
import { isAllowed } from "../src/platform/outbound/allowances.ts";
import { developmentAllowances } from "./outbound-allow.ts";

const read = (publicUrl: string, given?: string) => {
  const env = { PUBLIC_URL: publicUrl, OUTBOUND_ALLOW: developmentAllowances(publicUrl, given) };
  return readAllowances(readPart(["OUTBOUND_ALLOW"], env).OUTBOUND_ALLOW);
};

test("in development a receiver on this machine is allowed on any port", () => {
  const allowed = read("http://127.0.0.1:3000");
  for (const host of ["127.0.0.1", "localhost", "[::1]"]) expect(isAllowed(allowed, host, 4700)).toBe(true);
  for (const host of ["10.0.0.1", "127.0.0.1.nip.io", "redmine.internal"])
    expect(isAllowed(allowed, host, 4700)).toBe(false);
});

test("what the developer allows is allowed too", () => {
  const allowed = read("http://localhost:3000", "redmine.internal:80");
  expect(isAllowed(allowed, "redmine.internal", 80)).toBe(true);
  expect(isAllowed(allowed, "127.0.0.1", 4700)).toBe(true);
});

test("with an address that others can reach, this machine is not allowed", () => {
  const allowed = read("https://tunnel.example", "redmine.internal:80");
  expect([...allowed]).toEqual(["redmine.internal:80"]);
});

import { expect, test } from "vitest";
import { hostNames, hostUrls, isDatabaseUrl } from "./database-hosts.ts";

test("a URL with several hosts is one URL per host, without the choice among them", () => {
  const url =
    "postgres://me:p%40ss@a:5433,b,[::1]:5434/portage?sslmode=require&target_session_attrs=read-write";
  expect(hostUrls(url)).toEqual([
    "postgres://me:p%40ss@a:5433/portage?sslmode=require",
    "postgres://me:p%40ss@b/portage?sslmode=require",
    "postgres://me:p%40ss@[::1]:5434/portage?sslmode=require",
  ]);
  expect(hostNames(url)).toBe("a:5433, b:5432, [::1]:5434");
});

test.each([
  "postgres://portage@127.0.0.1:5432/portage",
  "postgresql://h/d",
  "postgres:///portage?host=/var/run/postgresql",
  "postgres://%2Fvar%2Frun/portage",
])("a URL with one host stays as it is: %s", (url) => {
  expect(hostUrls(url)).toEqual([url]);
  expect(isDatabaseUrl(url)).toBe(true);
});

test.each([
  ["postgres://a,b/d", true],
  ["postgres://a,b/d?target_session_attrs=primary", true],
  ["postgres://a,b/d?target_session_attrs=standby", false],
  ["postgres://a/d?x=1&target_session_attrs=read-only", false],
  ["postgres://a,,b/d", false],
  ["postgres://a:1,b:x/d", false],
])("%s: valid is %s", (url, valid) => {
  expect(isDatabaseUrl(url)).toBe(valid);
});

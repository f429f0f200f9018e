import { expect, test } from "vitest";
import type { Hosts } from "../manifest.ts";
import { absoluteUrl, reachOf } from "./origins.ts";

const hosts: Hosts = {
  api: ["https://acme.example/redmine", "https://api.example:8443"],
  files: ["https://*.cdn.example", "https://files.example"],
};

test.each([
  ["https://acme.example/other", "api"],
  ["https://api.example:8443/x", "api"],
  ["https://api.example/x", "undeclared"],
  ["http://acme.example/redmine", "undeclared"],
  ["https://acme.example.evil.example/", "undeclared"],
  ["https://evil.example/?https://acme.example/", "undeclared"],
  ["https://a.cdn.example/x", "files"],
  ["https://cdn.example/x", "undeclared"],
  ["https://a.b.cdn.example/x", "undeclared"],
  ["https://a.cdn.example:444/x", "undeclared"],
  ["http://a.cdn.example/x", "undeclared"],
  ["https://evilcdn.example/x", "undeclared"],
  ["https://files.example/x", "files"],
])("%s is %s", (url, reach) => {
  expect(reachOf(hosts, new URL(url))).toBe(reach);
});

test.each([
  ["issues.json", "https://acme.example/redmine/issues.json"],
  ["/issues.json?a=1", "https://acme.example/redmine/issues.json?a=1"],
  ["a:b/c", null],
  ["pages/a:b", "https://acme.example/redmine/pages/a:b"],
  ["//evil.example/x", "https://acme.example/redmine/evil.example/x"],
  ["https://api.example:8443/x", "https://api.example:8443/x"],
])("%s resolves to %s", (url, expected) => {
  const found = absoluteUrl(hosts, url);
  if (expected === null) expect(reachOf(hosts, found ?? new URL("x:y"))).toBe("undeclared");
  else expect(found?.href).toBe(expected);
});

import { describe, expect, test } from "vitest";
import { pathWithin } from "./path-within.ts";

const within = (url: string, instance = "https://acme.example/desk/") => pathWithin(instance, url);

test("returns the part after the instance's URL, with or without a trailing slash", () => {
  const { path, query, fragment } = within(" https://ACME.example:443/desk/issues/7?tab=a%20b#note-2 ") ?? {};
  expect([path, query?.get("tab"), fragment]).toEqual(["issues/7", "a b", "note-2"]);
  expect(within("https://acme.example/issues/7", "https://acme.example")?.path).toBe("issues/7");
  expect(within("https://acme.example/desk/wiki/Caf%C3%A9")?.path).toBe("wiki/Caf%C3%A9");
  expect(within("https://acme.example/desk/wiki/100%25")?.path).toBe("wiki/100%25");
});

describe("refuses URLs of other instances and disguised ones", () => {
  test.each([
    "https://elsewhere.example/desk/issues/7",
    "http://acme.example/desk/issues/7",
    "https://acme.example:8443/desk/issues/7",
    "https://acme.example.elsewhere.example/desk/issues/7",
    "https://acme.example@elsewhere.example/desk/issues/7",
    "https://user@acme.example/desk/issues/7",
    "https://user:word@acme.example/desk/issues/7",
    "https://acme.example/issues/7",
    "https://acme.example/desktop/issues/7",
    "https://acme.example/desk/../admin/issues/7",
    "https://acme.example/desk/issues/7/../8",
    "https://acme.example/desk/./issues/7",
    "https://acme.example/desk/%2e%2e/issues/7",
    "https://acme.example/desk/issues%2f7",
    "https://acme.example/desk/issues%5C7",
    "https://acme.example/desk/issues/7%00",
    "https://acme.example/desk\\issues\\7",
    "https:\\\\acme.example/desk/issues/7",
    "https://acme.example/desk/iss\nues/7",
    "https://acme.example/desk//issues/7",
    "https://acme.example//desk/issues/7",
    "//acme.example/desk/issues/7",
    "/desk/issues/7",
    "javascript:alert(1)//https://acme.example/desk/issues/7",
    "file:///desk/issues/7",
    "https:///acme.example/desk/issues/7",
    "not an address",
    "",
    `https://acme.example/desk/issues/7?${"x".repeat(2_000)}`,
  ])("%s", (url) => {
    expect(within(url)).toBeNull();
  });
});

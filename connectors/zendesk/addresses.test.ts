import { expect, test } from "vitest";
import { zendesk } from "./index.ts";
import { targetOf } from "./addresses.ts";

const settings = { instanceUrl: "https://acme.zendesk.com/", username: "ada@acme.example", token: "t" };
const at = (path: string) => zendesk.recordAt?.(settings, `https://acme.zendesk.com/${path}`, "helpdesk");

test.each([
  ["agent/tickets/12", "tickets", "12"],
  ["tickets/12", "tickets", "12"],
  ["hc/en-us/requests/12", "tickets", "12"],
  ["agent/users/360012345678901/requested_tickets", "contacts", "360012345678901"],
  ["agent/organizations/3600123/users", "organizations", "3600123"],
  ["hc/en-us/articles/360012345678-How-to-return", "articles", "360012345678"],
  ["hc/articles/7", "articles", "7"],
])("%s shows a record", (path, stream, id) => {
  expect(at(path)).toEqual({ stream, id });
});

test.each([
  "agent/tickets/0",
  "agent/tickets/12x",
  "agent/tickets/1234567890123456",
  "agent/dashboard",
  "hc/a/b/articles/1",
])("%s shows none", (path) => {
  expect(at(path)).toBeNull();
});

test("a link in a text may be relative, and may lead elsewhere", () => {
  expect(targetOf(settings, "/agent/tickets/12")).toEqual({ stream: "tickets", id: "12" });
  expect(targetOf(settings, "https://other.zendesk.com/agent/tickets/12")).toBeNull();
  expect(targetOf(settings, "https://[")).toBeNull();
});

const accepts = (instanceUrl: string) =>
  zendesk.manifest.settings.safeParse({ ...settings, instanceUrl }).success;

test("the address is one of Zendesk's accounts, and no other host gets the token", () => {
  expect(accepts("https://acme.zendesk.com/agent/dashboard")).toBe(true);
  for (const url of [
    "http://acme.zendesk.com",
    "https://zendesk.com",
    "https://a.b.zendesk.com",
    "https://acme.zendesk.com.evil.example",
    "https://acme.zendesk.com@evil.example",
    "https://acme.zendesk.com:8443",
    "https://support.acme.example",
    "acme",
  ])
    expect(accepts(url), url).toBe(false);
  expect(
    zendesk.manifest.hosts({ ...settings, instanceUrl: "https://acme.zendesk.com/agent/dashboard" }),
  ).toEqual({
    api: ["https://acme.zendesk.com"],
    files: ["https://*.zdusercontent.com"],
  });
});

import { expect, test } from "vitest";
import { recordAt } from "./addresses.ts";
import { settings } from "./settings.ts";

const given = settings.parse({ instanceUrl: "https://acme.example/rt", token: "1-2-3" });
const at = (path: string) => {
  const found = recordAt(given, `https://acme.example/rt/${path}`);
  return found && `${found.stream} ${found.id}`;
};

test("finds the record of an address from the browser's address bar", () => {
  expect(at("Ticket/Display.html?id=12")).toBe("tickets 12");
  expect(at("Ticket/Display.html?Foo=1&id=12#txn-345")).toBe("comments 345");
  expect(at("Ticket/History.html?id=12")).toBe("tickets 12");
  expect(at("SelfService/Display.html?id=12")).toBe("tickets 12");
  expect(at("Articles/Article/Display.html?id=3")).toBe("articles 3");
  expect(at("User/Summary.html?id=5")).toBe("contacts 5");
  expect(at(`Search/Results.html?Query=${encodeURIComponent("Queue = 4")}`)).toBe("groups 4");
});

test.each([
  "",
  "Ticket/Display.html",
  "Ticket/Display.html?id=",
  "Ticket/Display.html?id=0",
  "Ticket/Display.html?id=12x",
  "Ticket/Display.html?id=12%20OR%201=1",
  "Ticket/Display.html?id=12&id=13",
  "Ticket/Display.html?id=12345678901",
  "Ticket/../Admin/Users/Modify.html?id=12",
  "Ticket/%2e%2e/Ticket/Display.html?id=12",
  "Ticket//Display.html?id=12",
  "Admin/Users/Modify.html?id=12",
  "Search/Results.html?Query=Queue%20%3D%204%20OR%20id%20%3E%200",
])("%s is no record", (path) => {
  expect(at(path)).toBeNull();
});

test("an address on another host is no record", () => {
  for (const url of [
    "https://elsewhere.example/rt/Ticket/Display.html?id=12",
    "https://acme.example.elsewhere.example/rt/Ticket/Display.html?id=12",
    "https://acme.example/Ticket/Display.html?id=12",
    "http://acme.example/rt/Ticket/Display.html?id=12",
  ])
    expect(recordAt(given, url), url).toBeNull();
});

import { expect, test } from "vitest";
import { recordAt } from "./addresses.ts";
import { settings } from "./settings.ts";

const given = settings.parse({ instanceUrl: "https://acme.example/redmine/", token: "x" });
const at = (path: string, family: "projects" | "helpdesk" = "projects") => {
  const found = recordAt(given, `https://acme.example/redmine/${path}`, family);
  return found && `${found.stream} ${found.id}`;
};

test("finds the record of an address from the browser's address bar, by the family's stream names", () => {
  expect(at("issues/12")).toBe("tasks 12");
  expect(at("issues/12/")).toBe("tasks 12");
  expect(at("issues/12?tab=history#note-3")).toBe("tasks 12");
  expect(at("issues/12#change-77")).toBe("comments 12-77");
  expect(at("projects/3")).toBe("projects 3");
  expect(at("projects/3/wiki/Caf%C3%A9_100%25")).toBe("wikiPages 3:Café_100%");
  expect(at("versions/4")).toBe("versions 4");
  expect(at("time_entries/9/edit")).toBe("timeEntries 9");
  expect(at("issues/12", "helpdesk")).toBe("tickets 12");
  expect(at("projects/3", "helpdesk")).toBe("groups 3");
  expect(at("projects/3/wiki/Start", "helpdesk")).toBe("articles 3:Start");
  expect(at("versions/4", "helpdesk")).toBeNull();
});

test.each([
  "",
  "issues",
  "issues/new",
  "issues/12.json",
  "issues/12x",
  "issues/-12",
  "issues/1234567890",
  "issues/12/edit",
  "issues/12/../13",
  "issues/%31%32",
  "issues/١٢",
  "issues?issue_id=12",
  "projects/acme",
  "projects/3/wiki/",
  "projects/3/wiki/%E0%A4%A",
  "projects/3/wiki/a/b",
  "projects/3/wiki/..%2f..%2fusers",
  "users/1",
  "attachments/5",
])("%s is no record", (path) => {
  expect(at(path)).toBeNull();
});

test("an address on another host is no record", () => {
  for (const url of [
    "https://elsewhere.example/redmine/issues/12",
    "https://acme.example@elsewhere.example/redmine/issues/12",
    "https://acme.example/issues/12",
    "https://elsewhere.example/?u=https://acme.example/redmine/issues/12",
    "https://elsewhere.example/#https://acme.example/redmine/issues/12",
  ])
    expect(recordAt(given, url, "projects"), url).toBeNull();
});

import type { Io } from "@portage/connector-kit";
import { expect, test } from "vitest";
import { projectNames } from "./names.ts";
import { readText, titleize } from "./read-text.ts";
import { type Settings, settings } from "./settings.ts";

const io = {
  settings: settings.parse({ instanceUrl: "https://acme.example/redmine/", token: "x" }),
} as unknown as Io<Settings>;

const place = {
  names: projectNames,
  stream: "tasks",
  id: "12",
  projectId: "3",
  attachments: [{ id: 4, filename: "Shot.png", filesize: 1 }],
};

const targets = (text: string) =>
  Object.fromEntries(
    readText(io, text, place).references.map(({ url, to }) => [url, to && `${to.stream} ${to.id}`]),
  );

test("finds images by name, issues by number and URL, pages by title", () => {
  expect(
    targets(
      '!shot.png! see #7, "it":https://acme.example/redmine/issues/8, https://acme.example/redmine/attachments/download/4/Shot.png and [[How to|here]]',
    ),
  ).toEqual({
    "shot.png": "attachments tasks/12/4",
    "#7": "tasks 7",
    "https://acme.example/redmine/issues/8": "tasks 8",
    "https://acme.example/redmine/attachments/download/4/Shot.png": "attachments tasks/12/4",
    "[[How to|here]]": "wikiPages 3:How_to",
  });
});

test("leaves links to other places unchanged", () => {
  expect(targets("!other.png! https://elsewhere.example/issues/8 &#64; a#5 #x")).toEqual({
    "other.png": null,
    "https://elsewhere.example/issues/8": null,
  });
});

test("turns CRLF line breaks into LF", () => {
  expect(readText(io, "a\r\nb", place).text).toBe("a\nb");
});

test("turns a title into a page name as Redmine does", () => {
  expect(titleize("how to: a/b, c?")).toBe("How_to_ab_c");
});

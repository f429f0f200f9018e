import { content, crm, familyStreams, helpdesk, projects } from "@portage/connector-kit";
import { expect, test } from "vitest";
import { layOut } from "./layout.ts";

const shown = (streams: Parameters<typeof layOut>[0]) => {
  const { main, roots } = layOut(streams);
  return { main, roots };
};

test("every family has a main record, and streams that are chosen for themselves", () => {
  expect(shown(familyStreams.helpdesk)).toEqual({
    main: "tickets",
    roots: [
      "organizations",
      "contacts",
      "groups",
      "brands",
      "macros",
      "tickets",
      "articleCategories",
      "articles",
    ],
  });
  expect(shown(familyStreams.projects)).toEqual({
    main: "tasks",
    roots: ["versions", "sprints", "lists", "labels", "tasks", "timeEntries", "wikiPages"],
  });
  expect(shown(familyStreams.crm)).toEqual({
    main: "deals",
    roots: [
      "companies",
      "contacts",
      "leads",
      "products",
      "pipelines",
      "deals",
      "customObjects",
      "activities",
      "emails",
    ],
  });
  expect(shown(familyStreams.content)).toEqual({
    main: "posts",
    roots: ["categories", "tags", "media", "spaces", "posts", "pages", "redirects", "menus"],
  });
});

test("parts go with their record; a container brings nothing along", () => {
  const of = (streams: Parameters<typeof layOut>[0], name: string) =>
    layOut(streams)
      .childrenOf(name)
      .map((stream) => stream.name);
  expect(of(familyStreams.helpdesk, "tickets")).toEqual([
    "comments",
    "ticketRelations",
    "timeEntries",
    "ratings",
    "attachments",
  ]);
  expect(of(familyStreams.helpdesk, "articles")).toEqual(["articleTranslations", "attachments"]);
  expect(of(familyStreams.helpdesk, "comments")).toEqual(["attachments"]);
  expect(of(familyStreams.projects, "tasks")).toEqual([
    "checklistItems",
    "relations",
    "comments",
    "attachments",
  ]);
  expect(of(familyStreams.projects, "projects")).toEqual([]);
  expect(of(familyStreams.crm, "deals")).toEqual(["lineItems", "notes", "attachments"]);
  expect(of(familyStreams.crm, "pipelines")).toEqual([]);
});

test("only streams of both tools count: a project without tasks is no container", () => {
  expect(shown([projects.users, projects.projects, projects.wikiPages])).toEqual({
    main: "projects",
    roots: ["projects"],
  });
  expect(shown([helpdesk.comments, helpdesk.attachments])).toEqual({ main: null, roots: [] });
  expect(shown([content.media])).toEqual({ main: "media", roots: ["media"] });
  expect(shown([crm.users])).toEqual({ main: null, roots: [] });
});

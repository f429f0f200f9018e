import { families } from "@portage/contract";
import { expect, test } from "vitest";
import { z } from "zod";
import { ConnectorError } from "../errors.ts";
import { firstVersion } from "./first-version.ts";
import { content, familyStreams, helpdesk, projects } from "./index.ts";
import { linkOf } from "./link-of.ts";
import { referencesOf, resolveReferences } from "./references.ts";

const streams = families.flatMap((family) => familyStreams[family]);
const labelled = streams.map((stream) => [`${stream.family}.${stream.name}`, stream] as const);

test.each(labelled)("%s describes every field", (_, stream) => {
  const { properties } = z.toJSONSchema(stream.schema, { io: "input" });
  for (const [name, property] of Object.entries(properties ?? {}))
    expect((property as { description?: string }).description, name).toBeTruthy();
});

test.each(labelled)("%s points only to itself and earlier streams of its family", (_, stream) => {
  const names = familyStreams[stream.family].map(({ name }) => name);
  const { properties = {} } = z.toJSONSchema(stream.schema, { io: "input" });
  for (const [field, { to }] of Object.entries(stream.relations)) {
    expect(Object.keys(properties)).toContain(field);
    const known = to.filter((name) => names.includes(name));
    expect(known, field).not.toEqual([]);
    for (const name of known)
      expect(names.indexOf(name), `${field} → ${name}`).toBeLessThanOrEqual(names.indexOf(stream.name));
  }
  if (stream.parent) expect(Object.keys(stream.relations)).toContain(stream.parent);
});

const shapeOf = (stream: (typeof streams)[number]) =>
  (stream.schema as unknown as { readonly shape: Readonly<Record<string, z.ZodType>> }).shape;

const ofEveryRecord = ["id", "createdAt", "updatedAt", "tags", "customFields"];

test.each(labelled)(
  "%s keeps the fields of its first version, and marks all others as added",
  (_, stream) => {
    const first = firstVersion[stream.family][stream.name];
    const others = Object.keys(shapeOf(stream)).filter((field) => !stream.addedFields.includes(field));
    // A stream that was added later has a first version of its own.
    if (first) expect(others.toSorted()).toEqual([...ofEveryRecord, ...first].toSorted());
    expect(Object.keys(shapeOf(stream))).toEqual(expect.arrayContaining([...stream.addedFields]));
  },
);

test("no stream of the first version is gone", () => {
  for (const family of families)
    expect(familyStreams[family].map(({ name }) => name)).toEqual(
      expect.arrayContaining(Object.keys(firstVersion[family])),
    );
});

test.each(labelled)("%s: an added field is empty by default, so that old records stay equal", (_, stream) => {
  for (const field of stream.addedFields)
    expect([null, []], field).toContainEqual(shapeOf(stream)[field]?.parse(undefined));
});

test.each(labelled)("%s has the fields that every stream has", (_, stream) => {
  expect(stream.addedFields).toContain("externalId");
});

test("an attachment with an address in place of bytes is a link; a picture of a page has both", () => {
  const of = { parent: { stream: "tickets", id: "1" }, fileName: "a", contentType: "text/plain" };
  const url = "https://drive.example/a";
  const { attachments } = helpdesk;
  expect(linkOf(attachments, attachments.make({ id: "1", ...of, url }))).toBe(url);
  expect(linkOf(attachments, attachments.make({ id: "1", ...of }))).toBeNull();
  const picture = content.media.make({ id: "1", fileName: "a.png", contentType: "image/png", url });
  expect(linkOf(content.media, picture)).toBeNull();
});

test("make fills a record from the known fields", () => {
  const ticket = helpdesk.tickets.make({ id: "7", subject: "Help", status: "new", statusKind: "new" });
  expect(ticket).toMatchObject({ tags: [], customFields: {}, author: null, createdAt: null });
});

test("an error names the path of an invalid field, without its value", () => {
  const make = () =>
    helpdesk.tickets.make({ id: "7", subject: 12 as never, status: "s3cret", statusKind: "odd" as never });
  expect(make).toThrow(ConnectorError);
  try {
    make();
  } catch (error) {
    expect(error).toMatchObject({ recovery: "skip-record", code: "unexpected_record" });
    expect((error as Error).message).toContain("subject");
    expect((error as Error).message).not.toContain("s3cret");
  }
});

const task = projects.tasks.make({
  id: "1",
  projectId: "p",
  parentTaskId: "0",
  title: "T",
  status: "New",
  statusKind: "todo",
  author: { stream: "users", id: "u1", name: "Ada" },
  watcherIds: ["u1", "u2"],
});

test("finds references in ids, lists and people", () => {
  expect(referencesOf(projects.tasks, task)).toEqual([
    { field: "projectId", stream: "projects", id: "p" },
    { field: "parentTaskId", stream: "tasks", id: "0" },
    { field: "author", stream: "users", id: "u1" },
    { field: "watcherIds", stream: "users", id: "u1" },
    { field: "watcherIds", stream: "users", id: "u2" },
  ]);
});

test("resolves references; an unmatched person keeps the name", () => {
  const known: Record<string, string> = { "projects/p": "P9", "users/u2": "U2" };
  const done = resolveReferences(projects.tasks, task, ({ stream, id }) => known[`${stream}/${id}`] ?? null);
  expect(done).toMatchObject({
    kind: "resolved",
    record: {
      projectId: "P9",
      parentTaskId: null,
      author: { stream: "users", id: null, name: "Ada" },
      watcherIds: ["U2"],
    },
    cleared: ["parentTaskId", "author", "watcherIds"],
  });
});

test("what points to a record without a copy points nowhere, and not to one without an id", () => {
  const target = { stream: "pages", id: "9" };
  const item = content.menuItems.make({ id: "1", menuId: "m", title: "About", target });
  const done = resolveReferences(content.menuItems, item, ({ stream }) => (stream === "menus" ? "M1" : null));
  expect(done).toEqual({
    kind: "resolved",
    record: { ...item, menuId: "M1", target: null },
    cleared: ["target"],
  });
});

test("a record without its parent is missing, not orphaned", () => {
  expect(resolveReferences(projects.tasks, task, () => null)).toEqual({
    kind: "missing",
    field: "projectId",
  });
});

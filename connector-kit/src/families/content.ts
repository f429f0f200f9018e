import { z } from "zod";
import {
  addedToAll,
  author,
  id,
  optionalMoment,
  optionalNumber,
  optionalRef,
  optionalRichText,
  optionalText,
  pointer,
  recordFields,
  refs,
  richText,
  text,
} from "./record-parts.ts";
import { familyStream, type Relation } from "./stream.ts";

const writer: Relation = { to: ["authors"], missing: "clear" };

const authorAdded = {
  role: optionalText("The tool's own word for what the person may do: editor, subscriber."),
  ...addedToAll,
};

const authorRecord = z.object({
  ...recordFields,
  name: text("As shown under a post."),
  email: optionalText("What people are matched by."),
  active: z.boolean().default(true).describe("False: may no longer sign in."),
  biography: optionalRichText("A few lines about the person."),
  ...authorAdded,
});

const category = z.object({
  ...recordFields,
  name: text("The name for people."),
  slug: optionalText("Its part of the address."),
  parentCategoryId: optionalRef("The category that this one is under."),
  description: optionalRichText("What it holds."),
  ...addedToAll,
});

const space = z.object({
  ...recordFields,
  name: text("The name for people."),
  key: optionalText("The short name in addresses: a namespace."),
  description: optionalRichText("What it holds."),
  archived: z.boolean().default(false).describe("Read only, out of sight."),
  ...addedToAll,
});

const tag = z.object({
  ...recordFields,
  name: text("The name for people."),
  slug: optionalText("Its part of the address."),
  description: optionalText("What it means."),
  ...addedToAll,
});

const medium = z.object({
  ...recordFields,
  title: optionalText("The name for people."),
  fileName: text("Without a path."),
  contentType: text("As the tool says; application/octet-stream if it doesn't."),
  size: optionalNumber("In bytes; null: unknown before reading."),
  url: optionalText("Where texts show it from."),
  alternativeText: optionalText("For people who don't see it."),
  caption: optionalRichText("What stands under it."),
  author,
  ...addedToAll,
});

const published = {
  title: text("The headline."),
  slug: optionalText("Its part of the address."),
  url: optionalText("Its address, so that links between texts can be rewritten."),
  body: richText.describe("The text."),
  excerpt: optionalRichText("The teaser."),
  state: z
    .enum(["draft", "review", "scheduled", "published", "private", "trashed"])
    .describe("Who can see it, and from when."),
  publishedAt: optionalMoment("When it was, or will be, published."),
  coverId: optionalRef("The picture that stands for it."),
  locale: optionalText("BCP 47."),
  author,
};

const publishedAdded = {
  spaceId: optionalRef("The space that it is in."),
  access: z
    .enum(["public", "members", "restricted", "password"])
    .nullable()
    .default(null)
    .describe(
      "Who may read it once it is published: all, who is signed in, some of these, who knows its password (which is not copied); null: the tool doesn't tell.",
    ),
  translationOfId: optionalRef("The text of which this is another language's."),
  mediaIds: refs("Files that belong to it and are nowhere else."),
  metaTitle: optionalText("The headline for search engines."),
  metaDescription: optionalText("The summary for search engines."),
  ...addedToAll,
};

const post = z.object({
  ...recordFields,
  ...published,
  categoryIds: refs("The first is the main one."),
  tagIds: refs("Records of the stream tags; `tags` stays empty."),
  sticky: z.boolean().default(false).describe("Kept on top."),
  ...publishedAdded,
});

const page = z.object({
  ...recordFields,
  ...published,
  parentPageId: optionalRef("The page that this one is under."),
  position: optionalNumber("Its place among its siblings."),
  ...publishedAdded,
});

const revision = z.object({
  ...recordFields,
  about: pointer.describe("The post or page."),
  number: optionalText("The number by which people know it."),
  title: optionalText("The headline at the time."),
  body: richText.describe("The text at the time."),
  note: optionalText("What was changed, in the author's words."),
  author,
  ...addedToAll,
});

const redirect = z.object({
  ...recordFields,
  path: text("The old address, without the site's."),
  target: pointer.nullable().default(null).describe("What it leads to; null: see `url`."),
  url: optionalText("The address that it leads to, if that is no post or page."),
  permanent: z.boolean().default(true).describe("Whether browsers and search engines remember it."),
  ...addedToAll,
});

const menu = z.object({
  ...recordFields,
  name: text("The name for people."),
  place: optionalText("The tool's own word for where it is shown: header, footer."),
  ...addedToAll,
});

const menuItem = z.object({
  ...recordFields,
  menuId: id.describe("The menu."),
  parentItemId: optionalRef("The item that this one is under."),
  title: text("As shown."),
  target: pointer.nullable().default(null).describe("What it leads to; null: see `url`."),
  url: optionalText("The address that it leads to, if that is no record."),
  position: optionalNumber("Its place among its siblings."),
  ...addedToAll,
});

const comment = z.object({
  ...recordFields,
  about: pointer.describe("The post or page."),
  parentCommentId: optionalRef("The comment that it answers."),
  state: z.enum(["approved", "pending", "spam", "trashed"]).describe("Whether visitors see it."),
  body: richText.describe("What was said."),
  author,
  ...addedToAll,
});

const addedRelations = (own: "posts" | "pages"): Readonly<Record<string, Relation>> => ({
  spaceId: { to: ["spaces"], missing: "clear" },
  translationOfId: { to: [own], missing: "clear" },
  mediaIds: { to: ["media"], missing: "clear" },
});

/** Publishing: posts and pages with their media. */
export const content = {
  authors: familyStream("content", "authors", {
    label: "Authors",
    kind: "people",
    schema: authorRecord,
    added: authorAdded,
  }),
  categories: familyStream("content", "categories", {
    label: "Categories",
    schema: category,
    added: addedToAll,
    relations: { parentCategoryId: { to: ["categories"], missing: "clear" } },
  }),
  tags: familyStream("content", "tags", { label: "Tags", schema: tag, added: addedToAll }),
  media: familyStream("content", "media", {
    label: "Media",
    kind: "file",
    schema: medium,
    added: addedToAll,
    relations: { author: writer },
  }),
  spaces: familyStream("content", "spaces", { label: "Spaces", schema: space, added: addedToAll }),
  posts: familyStream("content", "posts", {
    label: "Posts",
    schema: post,
    added: publishedAdded,
    relations: {
      author: writer,
      coverId: { to: ["media"], missing: "clear" },
      categoryIds: { to: ["categories"], missing: "clear" },
      tagIds: { to: ["tags"], missing: "clear" },
      ...addedRelations("posts"),
    },
  }),
  pages: familyStream("content", "pages", {
    label: "Pages",
    schema: page,
    added: publishedAdded,
    relations: {
      author: writer,
      coverId: { to: ["media"], missing: "clear" },
      parentPageId: { to: ["pages"], missing: "clear" },
      ...addedRelations("pages"),
    },
  }),
  revisions: familyStream("content", "revisions", {
    label: "Revisions",
    schema: revision,
    added: addedToAll,
    relations: { about: { to: ["posts", "pages"], missing: "skip" }, author: writer },
    parent: "about",
  }),
  redirects: familyStream("content", "redirects", {
    label: "Redirects",
    schema: redirect,
    added: addedToAll,
    relations: { target: { to: ["posts", "pages"], missing: "skip" } },
  }),
  menus: familyStream("content", "menus", { label: "Menus", schema: menu, added: addedToAll }),
  menuItems: familyStream("content", "menuItems", {
    label: "Menu items",
    schema: menuItem,
    added: addedToAll,
    relations: {
      menuId: { to: ["menus"], missing: "skip" },
      parentItemId: { to: ["menuItems"], missing: "clear" },
      target: { to: ["posts", "pages", "categories", "tags"], missing: "clear" },
    },
    parent: "menuId",
  }),
  comments: familyStream("content", "comments", {
    label: "Comments",
    schema: comment,
    added: addedToAll,
    relations: {
      about: { to: ["posts", "pages"], missing: "skip" },
      parentCommentId: { to: ["comments"], missing: "clear" },
      author: writer,
    },
    parent: "about",
  }),
};

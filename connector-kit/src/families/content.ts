import { z } from "zod";
import {
  author,
  id,
  optionalMoment,
  optionalNumber,
  optionalRef,
  optionalRichText,
  optionalText,
  recordFields,
  refs,
  richText,
  text,
} from "./record-parts.ts";
import { familyStream, type Relation } from "./stream.ts";

const writer: Relation = { to: ["authors"], missing: "clear" };

const authorRecord = z.object({
  ...recordFields,
  name: text("As shown under a post."),
  email: optionalText("What people are matched by."),
  active: z.boolean().default(true).describe("False: may no longer sign in."),
  biography: optionalRichText("A few lines about the person."),
});

const category = z.object({
  ...recordFields,
  name: text("The name for people."),
  slug: optionalText("Its part of the address."),
  parentCategoryId: optionalRef("The category that this one is under."),
  description: optionalRichText("What it holds."),
});

const tag = z.object({
  ...recordFields,
  name: text("The name for people."),
  slug: optionalText("Its part of the address."),
  description: optionalText("What it means."),
});

const medium = z.object({
  ...recordFields,
  title: optionalText("The name for people."),
  fileName: text("Without a path."),
  contentType: text("As the tool says; application/octet-stream if it doesn't."),
  size: optionalNumber("In bytes; null: not told before reading."),
  url: optionalText("Where texts show it from."),
  alternativeText: optionalText("For people who don't see it."),
  caption: optionalRichText("What stands under it."),
  author,
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

const post = z.object({
  ...recordFields,
  ...published,
  categoryIds: refs("The first is the main one."),
  tagIds: refs("Records of the stream tags; `tags` stays empty."),
  sticky: z.boolean().default(false).describe("Kept on top."),
});

const page = z.object({
  ...recordFields,
  ...published,
  parentPageId: optionalRef("The page that this one is under."),
  position: optionalNumber("Its place among its siblings."),
});

const comment = z.object({
  ...recordFields,
  about: z.object({ stream: z.string(), id }).describe("The post or page."),
  parentCommentId: optionalRef("The comment that it answers."),
  state: z.enum(["approved", "pending", "spam", "trashed"]).describe("Whether visitors see it."),
  body: richText.describe("What was said."),
  author,
});

/** Publishing: posts and pages with their media. */
export const content = {
  authors: familyStream("content", "authors", { label: "Authors", kind: "people", schema: authorRecord }),
  categories: familyStream("content", "categories", {
    label: "Categories",
    schema: category,
    relations: { parentCategoryId: { to: ["categories"], missing: "clear" } },
  }),
  tags: familyStream("content", "tags", { label: "Tags", schema: tag }),
  media: familyStream("content", "media", {
    label: "Media",
    kind: "file",
    schema: medium,
    relations: { author: writer },
  }),
  posts: familyStream("content", "posts", {
    label: "Posts",
    schema: post,
    relations: {
      author: writer,
      coverId: { to: ["media"], missing: "clear" },
      categoryIds: { to: ["categories"], missing: "clear" },
      tagIds: { to: ["tags"], missing: "clear" },
    },
  }),
  pages: familyStream("content", "pages", {
    label: "Pages",
    schema: page,
    relations: {
      author: writer,
      coverId: { to: ["media"], missing: "clear" },
      parentPageId: { to: ["pages"], missing: "clear" },
    },
  }),
  comments: familyStream("content", "comments", {
    label: "Comments",
    schema: comment,
    relations: {
      about: { to: ["posts", "pages"], missing: "skip" },
      parentCommentId: { to: ["comments"], missing: "clear" },
      author: writer,
    },
    parent: "about",
  }),
};

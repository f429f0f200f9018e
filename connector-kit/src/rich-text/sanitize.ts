import type { Root } from "hast";
import { defaultSchema, sanitize, type Schema } from "hast-util-sanitize";

const schema: Schema = {
  ...defaultSchema,
  // Ids could collide with ids of the page that shows the text.
  clobber: [],
  attributes: {
    ...defaultSchema.attributes,
    "*": (defaultSchema.attributes?.["*"] ?? []).filter((name) => name !== "id" && name !== "name"),
  },
  tagNames: [...(defaultSchema.tagNames ?? []), "u", "figure", "figcaption", "mark"],
  protocols: {
    ...defaultSchema.protocols,
    href: ["http", "https", "mailto", "tel"],
    // cid: an image that came with its message.
    src: ["http", "https", "cid"],
  },
};

/** Keeps only text markup: no script, style, form, frame, event handler or executable URL. */
export const sanitized = (tree: Root): Root => sanitize(tree, schema) as Root;

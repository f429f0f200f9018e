import type { Root } from "hast";
import { defaultSchema, sanitize, type Schema } from "hast-util-sanitize";

const schema: Schema = {
  ...defaultSchema,
  // Ids could collide with those of the page that shows the text.
  clobber: [],
  attributes: {
    ...defaultSchema.attributes,
    "*": (defaultSchema.attributes?.["*"] ?? []).filter((name) => name !== "id" && name !== "name"),
  },
  tagNames: [...(defaultSchema.tagNames ?? []), "u", "figure", "figcaption", "mark"],
  protocols: {
    ...defaultSchema.protocols,
    href: ["http", "https", "mailto", "tel"],
    // cid: a picture that came with its message.
    src: ["http", "https", "cid"],
  },
};

/** Only what text is made of stays: no script, style, form, frame, event handler, nor address that runs something. */
export const sanitized = (tree: Root): Root => sanitize(tree, schema) as Root;

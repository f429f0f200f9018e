export {
  richTextOf,
  rewriteTexts,
  textReferencesOf,
  textsWithReferences,
  type Recognise,
} from "./record-texts.ts";
export { convertRichText, type Converted, type Format, type Written } from "./rich-text.ts";
export { findReferences, rewriteReferences, type FoundReference } from "./text-references.ts";

import type { RichText } from "@portage/connector-kit";

export type OddText =
  | "empty"
  | "long"
  | "emoji"
  | "html"
  | "right_to_left"
  | "other_script"
  | "image"
  | "link";

/** Only the beginning of a longer text is read: oddities show early, and the choice must not take long. */
const looksAt = 20_000;
const isLong = 5_000;

const signs: readonly (readonly [OddText, RegExp])[] = [
  ["emoji", /\p{Emoji_Presentation}|\p{Emoji}\ufe0f/u],
  ["html", /<\/?[a-z][a-z0-9]*(?:\s[^<>]*)?\/?>/i],
  ["right_to_left", /[\p{Script=Arabic}\p{Script=Hebrew}\u202b\u202e\u2067]/u],
  ["other_script", /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u],
];

/** What is odd about a text: what tools are known to spoil. */
export const oddIn = (text: string): readonly OddText[] => {
  if (text.trim() === "") return ["empty"];
  const beginning = text.slice(0, looksAt);
  const found = signs.flatMap(([odd, sign]) => (sign.test(beginning) ? [odd] : []));
  return text.length > isLong ? [...found, "long"] : found;
};

export const oddInRich = ({ text, references }: RichText): readonly OddText[] => [
  ...oddIn(text),
  ...new Set(references.map(({ kind }) => kind)),
];

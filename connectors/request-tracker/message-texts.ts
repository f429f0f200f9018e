import { convertRichText } from "@portage/connector-kit/rich-text";
import { headerOf, isText, type PartRow } from "./parts.ts";

/** A text of a message, with the head of the forwarded message that begins with it. */
interface ShownText {
  readonly part: PartRow;
  readonly head: string | null;
}

const isHtml = ({ ContentType }: PartRow) => /html/i.test(ContentType);

const headOf = (part: PartRow): string =>
  ["From", "To", "Cc", "Date", "Subject"]
    .flatMap((name) => {
      const value = headerOf(part, name);
      return value ? [`${name}: ${value}`] : [];
    })
    .join("\n");

/** The texts that a reader of the message sees, in order: of alternatives only one, HTML if there is any. */
export const shownTexts = (
  parts: readonly PartRow[],
  parentOf: ReadonlyMap<number, number>,
): readonly ShownText[] => {
  const byId = new Map(parts.map((part) => [part.id, part]));
  const parent = ({ id }: PartRow) => byId.get(parentOf.get(id) ?? 0);
  const inside = Map.groupBy(parts, (part) => parent(part)?.id ?? null);
  const within = (part: PartRow): readonly ShownText[] => {
    if (isText(part)) return [{ part, head: null }];
    const texts = (inside.get(part.id) ?? []).map(shown);
    if (!/^multipart\/alternative$/i.test(part.ContentType)) return texts.flat();
    const own = texts.find((each) => each.some((text) => isHtml(text.part)));
    return own ?? texts.find((each) => each.length > 0) ?? [];
  };
  const shown = (part: PartRow): readonly ShownText[] => {
    const [first, ...others] = within(part);
    const isForwarded = /^message\//i.test(parent(part)?.ContentType ?? "");
    if (!first || !isForwarded) return first ? [first, ...others] : others;
    return [{ ...first, head: [headOf(part), first.head].filter(Boolean).join("\n\n") || null }, ...others];
  };
  return (inside.get(null) ?? []).flatMap(shown);
};

const toHtml = (text: string) => convertRichText({ format: "plain", text }, "html").text;

/** The texts of a message as one: a single one stays as it is. */
export const joinTexts = (
  texts: readonly ShownText[],
  contents: ReadonlyMap<number, string>,
): { readonly format: "plain" | "html"; readonly text: string } => {
  const html = texts.some(({ part }) => isHtml(part));
  const spelled = texts.map(({ part, head }) => {
    const text = contents.get(part.id) ?? "";
    const own = html && !isHtml(part) ? toHtml(text) : text;
    return [head === null ? null : html ? toHtml(head) : head, own]
      .filter((each) => each !== null)
      .join("\n\n");
  });
  return { format: html ? "html" : "plain", text: spelled.join("\n\n") };
};

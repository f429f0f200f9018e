const longest = 80;

/** A name as it may stand in one line of a mail: no line breaks, nothing invisible, nothing that turns the writing around. */
export const cleanText = (text: string): string => {
  const plain = text.replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
  const characters = [...plain];
  return characters.length > longest ? `${characters.slice(0, longest - 1).join("")}…` : plain;
};

/** A name as it may stand before an address: it must not look like an address itself. */
export const displayName = (text: string): string =>
  cleanText(text.replace(/[<>@"\\,;:()[\]]+/g, " ")) || "Portage";

const maxLength = 80;

/** Makes a name safe for one line of a mail: no line breaks, invisible characters or direction overrides. */
export const cleanText = (text: string): string => {
  const plain = text.replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\s]+/gu, " ").trim();
  const characters = [...plain];
  return characters.length > maxLength ? `${characters.slice(0, maxLength - 1).join("")}…` : plain;
};

/** Makes a name safe as a display name before an address: it must not look like an address itself. */
export const displayName = (text: string): string =>
  cleanText(text.replace(/[<>@"\\,;:()[\]]+/g, " ")) || "Portage";

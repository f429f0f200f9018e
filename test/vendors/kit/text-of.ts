/** A value from the wire as text; what is no text, number or truth value becomes the other text. */
export const textOf = (value: unknown, otherwise = ""): string =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? String(value)
    : otherwise;

/** Escapes in JSON that PostgreSQL refuses: NUL, and halves of a surrogate pair, which also appear where a text was cut. */
const suspicious = /\\u(?:0000|d[89a-f])/i;

const cleanText = (text: string): string => (text.includes("\0") ? text.replaceAll("\0", "") : text);

const cleanJson = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), (_, value: unknown) => {
      if (typeof value === "string") return cleanText(value).toWellFormed();
      if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
      return Object.fromEntries(
        Object.entries(value).map(([name, each]) => [cleanText(name).toWellFormed(), each]),
      );
    });
  } catch {
    return text; // not JSON: as text it is fine
  }
};

const isPlainObject = (value: object) => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

/**
 * A parameter as PostgreSQL can store it. Tools send texts with NUL characters and cut surrogate pairs, which fail a
 * statement, and with it every later attempt: they are dropped or replaced by U+FFFD. Everything else is unchanged.
 */
export const toStorable = (value: unknown): unknown => {
  if (typeof value === "string") {
    const text = cleanText(value);
    return suspicious.test(text) ? cleanJson(text) : text;
  }
  if (Array.isArray(value)) return value.map(toStorable);
  // pg would make JSON of it anyway
  if (typeof value === "object" && value !== null && isPlainObject(value))
    return toStorable(JSON.stringify(value));
  return value;
};

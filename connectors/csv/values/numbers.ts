export type DecimalMark = "." | ",";

const currencies = new Set(Intl.supportedValuesOf("currency"));
/** Before a number, or a space and its sign: the letters of `ABC-12` are those of a code. */
const codeBefore = /^([A-Z]{3})(?=\s+[-−+(]?[.,]?\d|\(?[.,]?\d)/;
const codeBehind = /(?<=\d\)?\s*)([A-Z]{3})$/;

const withoutCurrency = (text: string): string => {
  const dropped = (code: string) => (currencies.has(code) ? "" : code);
  return text
    .replaceAll(/\p{Sc}/gu, "")
    .trim()
    .replace(codeBefore, dropped)
    .replace(codeBehind, dropped)
    .trim();
};

const maxLength = 100;

/** Marks between groups of three digits, beside the other decimal mark. */
const groupMarks = String.raw`\s'’_`;
const groupsBy = (mark: "." | ",") => {
  const other = mark === "." ? "," : ".";
  return new RegExp(String.raw`^(?:\d*|[1-9]\d{0,2}([${other}${groupMarks}])\d{3}(?:\1\d{3})*)$`);
};
const wholeBy = { ".": groupsBy("."), ",": groupsBy(",") };

const decimalWith = (written: string, mark: DecimalMark): string | null => {
  const number = written.trim();
  if (number.length > maxLength) return null;
  const bare = withoutCurrency(number.replace(/%$/, ""));
  const negative = /^\(.*\)$/.test(bare) || bare.startsWith("-") || bare.startsWith("−");
  const text = bare.replace(/^[-−+(]\s*|\)$/g, "");
  const [whole = "", fraction, ...more] = text.split(mark);
  if (more.length > 0 || !/^\d*$/.test(fraction ?? "") || !wholeBy[mark].test(whole)) return null;
  const digits = whole.replaceAll(/\D/g, "");
  if ((digits === "" && !fraction) || digits.length > 30) return null;
  const plain = `${digits.replace(/^0+(?=\d)/, "") || "0"}${fraction ? `.${fraction}` : ""}`;
  return negative && !/^[0.]*$/.test(plain) ? `-${plain}` : plain;
};

/**
 * A number as a plain decimal text (`-1234.5`); null: not a number. Money must not become a float. Without a mark, a number is none
 * that is another one with a comma: 1.500.
 */
export const decimalText = (written: string, mark?: DecimalMark): string | null => {
  if (mark !== undefined) return decimalWith(written, mark);
  const number = decimalWith(written, ".");
  const other = decimalWith(written, ",");
  return other === null || other === number ? number : null;
};

/**
 * Whether a number keeps every character of this text but those of a currency and between groups of digits: a zero at its ends, a plus
 * or a percent sign may be part of a code.
 */
export const isExactNumber = (written: string, mark: DecimalMark): boolean => {
  const plain = decimalText(written, mark);
  // `CAD1001` is rather a code.
  if (plain === null || /[A-Z]\d|\d[A-Z]/.test(written)) return false;
  const groups = mark === "." ? /[,\s'’]/g : /[.\s'’]/g;
  const digits = withoutCurrency(written.trim()).replaceAll(groups, "");
  return String(Number(plain)) === digits.replace(mark, ".").replace("−", "-");
};

export type TimeUnit = "minutes" | "hours";

const clock = /^(\d{1,6}):([0-5]\d)(?::([0-5]\d))?$/;
const named = /\s*(?:(h|hrs?|hours?|stunden?|std\.?)|(?:min\.?|minutes?|minuten?))$/i;

/** A duration as it is written: its number, and the unit that it names; null: it is a time of day such as 1:30. */
export const durationParts = (
  written: string,
): { readonly number: string; readonly unit: TimeUnit | null } | null => {
  const text = written.trim();
  if (clock.test(text) || text.length > maxLength) return null;
  const unit = named.exec(text);
  if (!unit) return { number: text, unit: null };
  return { number: text.slice(0, unit.index), unit: unit[1] === undefined ? "minutes" : "hours" };
};

/** `1:30`, `90`, `1.5` hours, `45 min`: always in minutes; `unit`: of cells that name none. Null: not a duration. */
export const minutesOf = (written: string, mark: DecimalMark | undefined, unit: TimeUnit): number | null => {
  const time = clock.exec(written.trim());
  if (time) return Number(time[1]) * 60 + Number(time[2]) + Number(time[3] ?? 0) / 60;
  const parts = durationParts(written);
  const number = parts && decimalText(parts.number, mark);
  if (!parts || number === null || number.startsWith("-")) return null;
  const isHours = (parts.unit ?? unit) === "hours";
  return isHours ? Math.round(Number(number) * 60 * 1000) / 1000 : Number(number);
};

export type DecimalMark = "." | ",";

const noise = /[\s\u00a0\u202f'’_]|%|\p{Sc}|^(?:[A-Z]{3})|(?:[A-Z]{3})$/gu;

/** A number as a plain decimal text (`-1234.5`); null: not a number. Money must not become a float. */
export const decimalText = (written: string, mark: DecimalMark): string | null => {
  const bare = written.trim().replace(noise, "");
  const negative = /^\(.*\)$/.test(bare) || bare.startsWith("-") || bare.startsWith("−");
  const text = bare.replace(/^[-−+(]|\)$/g, "");
  const group = mark === "." ? "," : ".";
  const [whole = "", fraction, ...more] = text.split(mark);
  if (more.length > 0 || !/^\d*$/.test(fraction ?? "")) return null;
  const grouped = whole.includes(group);
  const digits = whole.replaceAll(group, "");
  const ok = grouped
    ? whole.split(group).every((part, index) => (index === 0 ? /^\d{1,3}$/ : /^\d{3}$/).test(part))
    : /^\d*$/.test(whole);
  if (!ok || (digits === "" && !fraction) || digits.length > 30) return null;
  const plain = `${digits.replace(/^0+(?=\d)/, "") || "0"}${fraction ? `.${fraction}` : ""}`;
  return negative && !/^[0.]*$/.test(plain) ? `-${plain}` : plain;
};

/** `1:30`, `90`, `1.5` hours: always in minutes; null: not a duration. */
export const minutesOf = (written: string, mark: DecimalMark, unit: "minutes" | "hours"): number | null => {
  const clock = /^(\d{1,6}):([0-5]\d)(?::([0-5]\d))?$/.exec(written.trim());
  if (clock) return Number(clock[1]) * 60 + Number(clock[2]) + Number(clock[3] ?? 0) / 60;
  const number = decimalText(written.replace(/\s*(?:h|hrs?|hours?|min|minutes?|std\.?)\s*$/i, ""), mark);
  if (number === null || number.startsWith("-")) return null;
  return unit === "hours" ? Math.round(Number(number) * 60 * 1000) / 1000 : Number(number);
};

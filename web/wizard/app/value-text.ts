import type { WizardShown } from "@portage/contract/wizard";
import type { Formats } from "../../ui/formats.ts";

const day = /^\d{4}-\d{2}-\d{2}$/;
const moment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/;
/** Midnight UTC: how tools without times send a date. It must stay that date in every time zone. */
const midnight = /T00:00(:00(\.0+)?)?(Z|[+-]00:00)$/;

const isDay = (text: string) => {
  const at = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
};

const textOf = (text: string, formats: Formats): string => {
  if (day.test(text)) return isDay(text) ? formats.calendarDay(text) : text;
  if (!moment.test(text) || Number.isNaN(Date.parse(text))) return text;
  return midnight.test(text) ? formats.calendarDay(text) : formats.dateTime(text);
};

/** Formats numbers, dates and times of a record for the reader's locale; other text stays as it is. Null gives "". */
export const valueText = (value: Exclude<WizardShown, boolean>, formats: Formats): string => {
  if (value === null) return "";
  if (typeof value === "number") return formats.number(value);
  return typeof value === "string" ? textOf(value, formats) : value.join(", ");
};

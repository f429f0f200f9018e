import type { FoundStream } from "@portage/contract/wizard";
import type { TFunction } from "i18next";
import type { Formats } from "../../../ui/formats.ts";

/** A count as text, which promises no more than is known. */
export const countWords = (
  { state, count, exact, bytes }: FoundStream,
  formats: Formats,
  t: TFunction<"connect">,
): string => {
  if (state === "counting") return t("connected.counting");
  if (state === "refused") return t("connected.refused");
  if (count === null) return t("connected.untold");
  if (bytes !== null) return formats.bytes(bytes);
  return exact ? formats.count(count) : t("connected.about", { amount: formats.count(count) });
};

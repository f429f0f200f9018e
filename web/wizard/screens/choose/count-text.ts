import type { ChoiceStream } from "@portage/contract/wizard";
import { useTranslation } from "react-i18next";
import { useFormats } from "../../../ui/use-formats.ts";

/** A count as text, which promises no more than is known. */
export const useCountText = () => {
  const { t } = useTranslation("choose");
  const formats = useFormats();
  return ({ state, count, exact, bytes }: ChoiceStream): { count: string; countHint?: string } => {
    if (state === "counting") return { count: t("counting") };
    if (count === null) return { count: t("untold") };
    const number = formats.count(count);
    if (bytes !== null)
      return { count: formats.bytes(bytes), countHint: t("files", { count, amount: number }) };
    return { count: exact ? number : t("about", { amount: number }) };
  };
};

import { Check, CirclePlus, Info, StickyNote, TriangleAlert, UserRound } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { LucideIcon } from "../../ui/icon.tsx";
import { StatusWord } from "../../ui/pill.tsx";
import type { Tone } from "../../ui/tone.ts";

/** The confidence of a match. `new`: the field is created; `note`: no field fits, so the value is copied as a note. */
export type ConfidenceName = "exact" | "likely" | "open" | "chosen" | "new" | "note";

const looks: Readonly<Record<ConfidenceName, { readonly tone: Tone; readonly icon: LucideIcon }>> = {
  exact: { tone: "ok", icon: Check },
  likely: { tone: "info", icon: Info },
  open: { tone: "warn", icon: TriangleAlert },
  chosen: { tone: "ok", icon: UserRound },
  new: { tone: "info", icon: CirclePlus },
  note: { tone: "idle", icon: StickyNote },
};

export const Confidence = ({ of: name, why }: { of: ConfidenceName; why?: string | undefined }) => {
  const { t } = useTranslation("matching");
  return (
    <>
      <StatusWord {...looks[name]}>{t(`confidence.${name}`)}</StatusWord>
      {why !== undefined && <span className="t13 muted">{why}</span>}
    </>
  );
};

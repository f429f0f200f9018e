import type { WizardSuggestedPeople } from "@portage/contract/wizard";
import { Users } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../ui/button.tsx";
import { useFormats } from "../../../ui/use-formats.ts";
import type { MatchingStore, ReadyMatching } from "../../matching/matching-store.ts";
import { touchKey, type useTouched } from "../../matching/use-touched.ts";
import { chooseAll } from "./person-choice.ts";
import { toConfirm } from "./to-confirm.ts";

interface MatchLikelyProps {
  readonly ready: ReadyMatching;
  readonly store: MatchingStore;
  readonly suggested: WizardSuggestedPeople;
  readonly touching: ReturnType<typeof useTouched>;
  /** How many people have no decision at all now. */
  readonly undecided: number;
}

/** Confirms every likely match, and accepts those for people without a decision. Nobody else is decided by it. */
export const MatchLikely = ({ ready, store, suggested, touching, undecided }: MatchLikelyProps) => {
  const { t } = useTranslation("people");
  const formats = useFormats();
  const [taken, setTaken] = useState(0);
  const { touched, touch } = touching;
  const { choices } = ready.mapping.people;
  const open = suggested.matches.filter(([id]) => !Object.hasOwn(choices, id));
  const unsure = toConfirm(suggested, ready.mapping, touched);
  const left = open.length + unsure.size;
  const take = () => {
    setTaken(left);
    touch([...open.map(([id]) => id), ...unsure].map((id) => touchKey("people", id)));
    if (open.length > 0) store.edit(chooseAll(open));
  };
  const done = [
    t("matched", { count: taken, shown: formats.count(taken) }),
    ...(undecided > 0 ? [t("toChoose", { count: undecided, shown: formats.count(undecided) })] : []),
  ].join(" ");
  return (
    <>
      {left > 0 && (
        <Button icon={Users} onClick={take}>
          {t("likely", { count: left, shown: formats.count(left) })}
        </Button>
      )}
      <span role="status" className="hint">
        {taken > 0 && left === 0 ? done : ""}
      </span>
    </>
  );
};

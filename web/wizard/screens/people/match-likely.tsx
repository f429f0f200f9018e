import type { WizardSuggestedPeople } from "@portage/contract/wizard";
import { Users } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../ui/button.tsx";
import { useFormats } from "../../../ui/use-formats.ts";
import { useAnswer } from "../../api/queries.ts";
import type { MatchingStore, ReadyMatching } from "../../matching/matching-store.ts";
import { chooseAll } from "./person-choice.ts";

/** Accepts every suggestion for people without a decision. */
export const MatchLikely = ({ ready, store }: { ready: ReadyMatching; store: MatchingStore }) => {
  const { t } = useTranslation("people");
  const formats = useFormats();
  const { data } = useAnswer<WizardSuggestedPeople>("/mapping/people/suggested");
  const [taken, setTaken] = useState(0);
  const { choices } = ready.mapping.people;
  const left = data?.matches.filter(([id]) => !Object.hasOwn(choices, id)) ?? [];
  const take = () => {
    setTaken(left.length);
    store.edit(chooseAll(left));
  };
  return (
    <>
      {left.length > 0 && (
        <Button icon={Users} onClick={take}>
          {t("likely", { count: left.length, shown: formats.count(left.length) })}
        </Button>
      )}
      <span role="status" className="hint">
        {taken > 0 && left.length === 0 ? t("matched", { count: taken, shown: formats.count(taken) }) : ""}
      </span>
    </>
  );
};

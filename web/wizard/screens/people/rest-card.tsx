import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Card } from "../../../ui/card.tsx";
import { Choice } from "../../../ui/choice.tsx";
import { useFormats } from "../../../ui/use-formats.ts";
import type { MatchingStore, ReadyMatching } from "../../matching/matching-store.ts";
import { useNames } from "../../matching/use-names.ts";
import { PersonPicker, personValue } from "./person-picker.tsx";
import { setRest } from "./person-choice.ts";

type Way = "copy" | "default" | "nobody";

interface RestCardProps {
  readonly ready: ReadyMatching;
  readonly store: MatchingStore;
  /** How many people it is about now. */
  readonly open: number;
}

/** Decides what happens to people without a match. */
export const RestCard = ({ ready, store, open }: RestCardProps) => {
  const { t } = useTranslation("people");
  const formats = useFormats();
  const names = useNames();
  const { unmatched, defaultId } = ready.mapping.people;
  // "default" can be saved only once the customer has chosen the person.
  const [wanted, setWanted] = useState<Way | null>(null);
  const way = wanted ?? unmatched;
  const ways: readonly Way[] = ready.facts.people.canCopy
    ? ["copy", "default", "nobody"]
    : ["default", "nobody"];
  const hintOf = (each: Way) =>
    each === "copy" && open > 0
      ? t("rest.copyHintCount", { count: open, shown: formats.count(open) })
      : t(`rest.${each}Hint`);
  const take = (chosen: Way) => {
    if (chosen === "default" && defaultId === null) return setWanted("default");
    setWanted(null);
    store.edit(setRest({ unmatched: chosen, defaultId }));
  };
  const setDefault = (value: string) => {
    setWanted(null);
    store.edit(setRest({ unmatched: "default", defaultId: value.slice("person:".length) }));
  };
  const person = (
    <div className="ms-8 mb-2 max-w-[420px]">
      <PersonPicker
        label={t("rest.person")}
        placeholder={t("row.choose")}
        value={defaultId === null ? null : personValue(defaultId)}
        unknown={t("row.unknown", names)}
        onChange={setDefault}
      />
    </div>
  );
  return (
    <Card title={t("rest.title")} className="mt-6">
      <p className="hint mt-1 mb-3">{t("rest.text")}</p>
      <Choice
        legend={t("rest.legend")}
        hideLegend
        value={way}
        onChange={take}
        options={ways.map((each) => ({
          value: each,
          label: t(`rest.${each}`, names),
          hint: hintOf(each),
          ...(each === "default" && way === "default" && { below: person }),
        }))}
      />
    </Card>
  );
};

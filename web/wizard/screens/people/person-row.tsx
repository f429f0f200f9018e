import type { WizardPersonChoice, WizardSourcePerson } from "@portage/contract/wizard";
import { useTranslation } from "react-i18next";
import { Button } from "../../../ui/button.tsx";
import { MatchCells, Person } from "../../../ui/match-row.tsx";
import { Confidence } from "../../matching/confidence.tsx";
import { useNames } from "../../matching/use-names.ts";
import { confidenceOf } from "./person-choice.ts";
import { PersonPicker, personValue } from "./person-picker.tsx";

interface PersonRowProps {
  readonly one: WizardSourcePerson;
  readonly choice: WizardPersonChoice | undefined;
  readonly canCopy: boolean;
  readonly hasDefault: boolean;
  readonly onChoose: (choice: WizardPersonChoice) => void;
  /** The customer has confirmed the likely match. */
  readonly isConfirmed: boolean;
}

const valueOf = (choice: WizardPersonChoice | undefined): string | null => {
  if (!choice) return null;
  return choice.to === "person" ? personValue(choice.id) : choice.to;
};

const choiceFrom = (value: string): WizardPersonChoice =>
  value === "copy" || value === "default" || value === "nobody"
    ? { to: value }
    : { to: "person", id: value.slice("person:".length) };

/** One person of the source, and the match in the destination. */
export const PersonRow = ({ one, choice, canCopy, hasDefault, onChoose, isConfirmed }: PersonRowProps) => {
  const { t } = useTranslation("people");
  const names = useNames();
  const { person, suggestion, candidates } = one;
  const name = person.name === "" ? (person.email ?? person.id) : person.name;
  const others = [
    ...(canCopy ? [{ value: "copy", label: t("row.copy", names) }] : []),
    ...(hasDefault ? [{ value: "default", label: t("row.default") }] : []),
    { value: "nobody", label: t("row.nobody") },
  ];
  const given = confidenceOf(one, choice);
  const confidence = given === "likely" && isConfirmed ? "chosen" : given;
  const maybe = suggestion.kind === "match" ? candidates.find(({ id }) => id === suggestion.id) : undefined;
  const asks = maybe !== undefined && (confidence === "likely" || confidence === "open");
  return (
    <MatchCells
      from={<Person name={name} detail={person.email ?? undefined} />}
      to={
        <PersonPicker
          label={t("row.to", { ...names, name })}
          placeholder={t("row.choose")}
          value={valueOf(choice)}
          first={candidates}
          others={others}
          unknown={t("row.unknown", names)}
          onChange={(value) => onChoose(choiceFrom(value))}
        />
      }
      note={
        <>
          <Confidence
            of={confidence}
            why={confidence === "chosen" ? undefined : t(`why.${suggestion.why}`, names)}
          />
          {asks && confidence === "likely" && maybe.email !== null && (
            <bdi className="t13 muted">{maybe.email}</bdi>
          )}
          {asks && (
            <Button className="same" onClick={() => onChoose({ to: "person", id: maybe.id })}>
              {confidence === "open" ? t("row.sameAs", { name: maybe.email ?? maybe.name }) : t("row.same")}
              <span className="vh">{`: ${name}`}</span>
            </Button>
          )}
        </>
      }
    />
  );
};

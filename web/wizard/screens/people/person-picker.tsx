import type { WizardPerson } from "@portage/contract/wizard";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Combobox, type Option } from "../../../ui/combobox.tsx";
import { knownPerson, knowPeople } from "./known-people.ts";
import { useDestinationPeople } from "./use-people.ts";

interface PersonPickerProps {
  readonly label: string;
  readonly placeholder: string;
  /** The current choice: `person:<id>`, or one of `others`. */
  readonly value: string | null;
  /** Offered before the customer types. */
  readonly first?: readonly WizardPerson[];
  /** Options other than a person. */
  readonly others?: readonly Option[];
  readonly unknown: string;
  readonly onChange: (value: string) => void;
}

const typingMs = 200;
const noPeople: readonly WizardPerson[] = [];
const nothing: readonly Option[] = [];

const useSettled = (text: string | null): string | null => {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), typingMs);
    return () => clearTimeout(timer);
  }, [text]);
  return text === null || settled === null ? text : settled;
};

export const personValue = (id: string) => `person:${id}`;

/** Chooses a person of the destination; the server searches by name or address. */
export const PersonPicker = ({
  label,
  placeholder,
  value,
  first = noPeople,
  others = nothing,
  unknown,
  onChange,
}: PersonPickerProps) => {
  const { t } = useTranslation("people");
  const [typed, setTyped] = useState<string | null>(null);
  const search = useSettled(typed);
  const found = useDestinationPeople(search);
  knowPeople(found ?? []);
  const optionOf = ({ id, name, email, active }: WizardPerson): Option => {
    const detail = [email, active ? null : t("row.inactive")].filter((each) => each !== null).join(" · ");
    return {
      value: personValue(id),
      label: name === "" ? (email ?? id) : name,
      ...(detail !== "" && { detail }),
    };
  };
  // Hide deactivated people, because the server would refuse them.
  const people = [...(typed ? [] : first), ...(found ?? [])].filter(({ active }) => active);
  const unique = [...new Map(people.map((person) => [person.id, person])).values()];
  const options = [...unique.map(optionOf), ...(typed ? [] : others)];
  const chosenId = value?.startsWith("person:") ? value.slice("person:".length) : null;
  const chosen = chosenId === null ? undefined : knownPerson(chosenId);
  const shown = (): Option | null => {
    if (value === null) return null;
    if (chosenId === null) return others.find((each) => each.value === value) ?? null;
    return chosen ? optionOf(chosen) : { value, label: unknown };
  };
  return (
    <Combobox
      label={label}
      placeholder={placeholder}
      options={options}
      value={shown()}
      onChange={(option) => option && onChange(option.value)}
      onSearch={setTyped}
      onOpenChange={(open) => open && setTyped((before) => before ?? "")}
      searching={search !== typed || (typed !== null && found === null)}
    />
  );
};

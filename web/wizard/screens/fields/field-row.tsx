import type { WizardFieldChoice, WizardStreamFacts } from "@portage/contract/wizard";
import { ArrowRight } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Icon } from "../../../ui/icon.tsx";
import { useFormats } from "../../../ui/use-formats.ts";
import { Confidence } from "../../matching/confidence.tsx";
import { useNames } from "../../matching/use-names.ts";
import { useShownValue } from "../../matching/use-shown-value.ts";
import { FieldPicker } from "./field-picker.tsx";
import type { FieldOfStream } from "./field-rows.ts";
import { FieldValues } from "./field-values.tsx";
import { useWhyText } from "./use-why-text.ts";

interface FieldRowProps {
  readonly facts: WizardStreamFacts;
  readonly one: FieldOfStream;
  readonly taken: ReadonlyMap<string, string>;
  readonly onChoose: (choice: WizardFieldChoice) => void;
}

const useDescription = (facts: WizardStreamFacts, { field }: FieldOfStream): string => {
  const { t } = useTranslation("fields");
  const formats = useFormats();
  const looked = formats.count(facts.looked);
  const count = field.options?.length ?? 0;
  return [
    t(`types.${field.type}`),
    ...(count > 0 ? [t("values", { count, shown: formats.count(count) })] : []),
    ...(facts.looked > 0
      ? [field.used > 0 ? t("used", { used: formats.count(field.used), looked }) : t("unused", { looked })]
      : []),
  ].join(", ");
};

const useWhy = (facts: WizardStreamFacts, { field, choice, suggestion, confidence }: FieldOfStream) => {
  const { t } = useTranslation("fields");
  const names = useNames();
  const whyText = useWhyText();
  const whyNotCreated = (): string => {
    const { creation } = field;
    if (creation.kind === "possible") return "";
    if (creation.kind === "name_taken") return t("row.nameTaken");
    return creation.why ?? (creation.kind === "type" ? t("row.noType", names) : "");
  };
  if (confidence === "new") return t("row.created", names);
  if (confidence === "note") return `${t("row.none", names)} ${whyNotCreated()}`.trim();
  if (confidence !== "chosen") return suggestion && whyText(suggestion.why);
  if (choice?.as === "nothing") return t("row.left", names);
  if (choice?.as !== "field") return undefined;
  const to = facts.destinationFields.find(({ key }) => key === choice.to);
  return to && to.type !== field.type
    ? t("row.becomes", { from: t(`types.${field.type}`), to: t(`types.${to.type}`) })
    : undefined;
};

/** One source field, and its destination. */
export const FieldRow = ({ facts, one, taken, onChoose }: FieldRowProps) => {
  const { t } = useTranslation("fields");
  const formats = useFormats();
  const { field, choice, confidence } = one;
  const labels = new Map(field.options?.map(({ value, label }) => [value, label]));
  const shownValue = useShownValue();
  const samples = (field.samples ?? []).map((sample) => shownValue(labels.get(sample) ?? sample));
  const to =
    choice?.as === "field" ? facts.destinationFields.find(({ key }) => key === choice.to) : undefined;
  return (
    <>
      <div className="src">
        <b>{field.label}</b>
        <small>{useDescription(facts, one)}</small>
        {samples.length > 0 && (
          <small>
            {t("samples")} <bdi>{formats.list(samples)}</bdi>
          </small>
        )}
      </div>
      <Icon of={ArrowRight} className="arrow flip" />
      <div>
        <FieldPicker facts={facts} one={one} taken={taken} onChoose={onChoose} />
      </div>
      <div className="conf">
        <Confidence of={confidence} why={useWhy(facts, one)} />
      </div>
      <FieldValues one={one} to={to} onChoose={onChoose} />
    </>
  );
};

import type { WizardStreamFacts, WizardWordSuggestion } from "@portage/contract/wizard";
import { ArrowRight, Check, TriangleAlert } from "lucide-react";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Card } from "../../../ui/card.tsx";
import { classNames } from "../../../ui/class-names.ts";
import { Icon } from "../../../ui/icon.tsx";
import { Pill } from "../../../ui/pill.tsx";
import { reveal } from "../../../ui/reveal.ts";
import { Select } from "../../../ui/select.tsx";
import { useFormats } from "../../../ui/use-formats.ts";
import { useMeant } from "../../app/navigation.tsx";
import { useKinds } from "../../app/use-kinds.ts";
import type { MatchingStore, ReadyMatching } from "../../matching/matching-store.ts";
import { useNames } from "../../matching/use-names.ts";
import { setWord, wordIn } from "./field-choice.ts";
import { openWords } from "./open-decisions.ts";
import { wordFieldLabel } from "./word-field-label.ts";

interface WordsProps {
  readonly ready: ReadyMatching;
  readonly store: MatchingStore;
  readonly stream: WizardStreamFacts;
}

const asIs = "\u0000as-is";
const certain = 0.8;

const useFieldLabel = () => {
  const { t } = useTranslation("fields");
  return (name: string) => wordFieldLabel(t, name);
};

interface WordRowProps extends WordsProps {
  readonly field: string;
  readonly suggestion: WizardWordSuggestion;
}

const WordRow = ({ ready, store, stream, field, suggestion }: WordRowProps) => {
  const { t } = useTranslation("fields");
  const names = useNames();
  const labelOf = useFieldLabel();
  const { word } = suggestion;
  const known = stream.destinationWords[field] ?? [];
  const choice = wordIn(ready.mapping, stream.name, field, word);
  const isKnown = known.some(({ value }) => value === word);
  const set = (value: string) => {
    if (value === asIs) return store.edit(setWord(stream.name, field, word, undefined));
    const kind = known.find((each) => each.value === value)?.kind;
    const meant = kind ?? (suggestion.to === value ? suggestion.kind : null);
    store.edit(setWord(stream.name, field, word, { to: value, kind: meant }));
  };
  return (
    <li>
      <span>{word === "" ? t("words.empty") : word}</span>
      <Icon of={ArrowRight} size="s" className="flip" />
      <Select
        aria-label={t("words.becomes", {
          field: labelOf(field),
          word: word === "" ? t("words.empty") : word,
        })}
        value={choice?.to ?? asIs}
        options={[
          ...known.map(({ value, label }) => ({ value, label })),
          { value: asIs, label: t("words.asIs") },
        ]}
        onChange={(event) => set(event.target.value)}
      />
      {!choice && !isKnown && <small className="note warn">{t("words.unknown", names)}</small>}
      {choice?.to === suggestion.to && suggestion.to !== null && suggestion.confidence < certain && (
        <small className="note muted">{t("words.near")}</small>
      )}
    </li>
  );
};

interface WordListProps extends WordsProps {
  readonly field: string;
  readonly words: readonly WizardWordSuggestion[];
}

/** The options of one field; a link from a wrong value scrolls to it and focuses it. */
const WordList = ({ field, words, ...props }: WordListProps) => {
  const labelOf = useFieldLabel();
  const place = useRef<HTMLDivElement>(null);
  const isMeant = useMeant() === `${props.stream.name}.${field}`;
  useEffect(() => {
    if (isMeant && place.current) reveal(place.current);
  }, [isMeant]);
  return (
    <div ref={place} className={classNames(isMeant && "meant")}>
      <h3 className="t14 mb-1.5">{labelOf(field)}</h3>
      <ul>
        {words.map((suggestion) => (
          <WordRow key={suggestion.word} {...props} field={field} suggestion={suggestion} />
        ))}
      </ul>
    </div>
  );
};

/** Maps the options in the source's records to those of the destination. */
export const WordsCard = ({ ready, store, stream }: WordsProps) => {
  const { t } = useTranslation("fields");
  const formats = useFormats();
  const { title } = useKinds();
  const labelOf = useFieldLabel();
  const lists = Object.entries(stream.suggestions.words).filter(([, words]) => words.length > 0);
  if (lists.length === 0) return null;
  const open = openWords(ready, stream);
  const pill =
    open === 0 ? (
      <Pill tone="ok" icon={Check}>
        {t("words.done")}
      </Pill>
    ) : (
      <Pill tone="warn" icon={TriangleAlert}>
        {t("words.open", { count: open, shown: formats.count(open) })}
      </Pill>
    );
  const fields = formats.list(lists.map(([field]) => labelOf(field).toLowerCase()));
  return (
    <Card ruled title={t("words.card", { stream: title(stream.label), fields })} aside={pill}>
      <div className="vals">
        {lists.map(([field, words]) => (
          <WordList key={field} ready={ready} store={store} stream={stream} field={field} words={words} />
        ))}
      </div>
    </Card>
  );
};

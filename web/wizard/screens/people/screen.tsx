import type { WizardSuggestedPeople } from "@portage/contract/wizard";
import { ArrowRight, Check, CircleCheck, MailX, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Actions } from "../../../ui/actions.tsx";
import { Button, buttonClass } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { Fold } from "../../../ui/fold.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Pill } from "../../../ui/pill.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import "../../../ui/styles/match.css";
import { useFormats } from "../../../ui/use-formats.ts";
import { useAnswer, useImport } from "../../api/queries.ts";
import { useGo, useMeant } from "../../app/navigation.tsx";
import { Page, PageHead } from "../../app/page.tsx";
import { keepsAuthors } from "../../app/promises.ts";
import { ScreenLink } from "../../app/screen-link.tsx";
import { Gathering } from "../../matching/gathering.tsx";
import type { MatchingStore, ReadyMatching } from "../../matching/matching-store.ts";
import { movingStreams } from "../../matching/moving-streams.ts";
import { NotGathered } from "../../matching/not-gathered.tsx";
import { ReadAgain } from "../../matching/read-again.tsx";
import { type NameOf, SaveNotices } from "../../matching/save-notices.tsx";
import { SaveWord } from "../../matching/save-word.tsx";
import { useMatching } from "../../matching/use-matching.ts";
import { useNames } from "../../matching/use-names.ts";
import { useRunSample } from "../../matching/use-run-sample.tsx";
import { useTouched } from "../../matching/use-touched.ts";
import { openDecisions } from "../fields/open-decisions.ts";
import { sourceName } from "./known-people.ts";
import { MatchLikely } from "./match-likely.tsx";
import { PeopleFile, type PeopleFileOutcome } from "./people-file.tsx";
import { PeopleList } from "./people-list.tsx";
import { choiceOf } from "./person-choice.ts";
import { RestCard } from "./rest-card.tsx";
import { toConfirm } from "./to-confirm.ts";

interface Props {
  readonly ready: ReadyMatching;
  readonly store: MatchingStore;
}

interface ListProps extends Props {
  readonly total: number;
  readonly meant: string | null;
  readonly touching: ReturnType<typeof useTouched>;
}

const nameOf: NameOf = ({ path }) =>
  path[0] === "people" && path[1] === "choices" ? sourceName(path[2] ?? "") : undefined;

const openCount = ({ mapping, facts }: ReadyMatching) =>
  Math.max(0, facts.people.source - Object.keys(mapping.people.choices).length);

/** More open people than one looks at one by one: the rule for all of them comes first. */
const many = 20;

interface OpenProps extends ListProps {
  readonly suggested: WizardSuggestedPeople;
  /** When the screen opened: the lists keep their rows. */
  readonly likely: ReadonlySet<string>;
  readonly left: number;
}

/** The people who need a decision: likely matches to confirm first, then those without a match. */
const OpenCard = ({ ready, store, total, meant, touching, suggested, likely, left }: OpenProps) => {
  const { t } = useTranslation("people");
  const formats = useFormats();
  const counts = { open: formats.count(left), total: formats.count(total + likely.size) };
  const pill =
    left === 0 ? (
      <Pill tone="ok" icon={Check}>
        {t("open.done")}
      </Pill>
    ) : (
      <Pill tone="warn" icon={TriangleAlert}>
        {t("open.pill", counts)}
      </Pill>
    );
  const shared = { ready, store, touching };
  return (
    <Card ruled title={t("open.title")} aside={pill}>
      {suggested.likely.length > 0 && (
        <div className="tools">
          <MatchLikely {...shared} suggested={suggested} undecided={openCount(ready)} />
        </div>
      )}
      {likely.size > 0 && (
        <PeopleList
          {...shared}
          total={likely.size}
          meant={null}
          of="likely"
          only={likely}
          empty={t("open.nobody")}
        />
      )}
      {total > 0 && <PeopleList {...shared} total={total} meant={meant} of="open" empty={t("open.nobody")} />}
    </Card>
  );
};

const Decided = ({ total, meant, ...shared }: ListProps) => {
  const { t } = useTranslation("people");
  const formats = useFormats();
  return (
    <Fold
      className="mt-6"
      icon={CircleCheck}
      iconClassName="ok"
      title={t("matchedFold.title", { count: total, shown: formats.count(total) })}
      hint={t("matchedFold.hint")}
      open={meant !== null}
    >
      <PeopleList {...shared} total={total} meant={meant} of="decided" empty={t("list.nothing")} />
    </Fold>
  );
};

/** The numbers as they are now: they change with every choice. */
const useLead = (ready: ReadyMatching, open: number, unsure: number) => {
  const { t } = useTranslation("people");
  const formats = useFormats();
  const names = useNames();
  const { kinds } = useImport();
  const { source } = ready.facts.people;
  if (source === 0) return t("lead.none", names);
  const isKept = keepsAuthors(kinds, ready.mapping.selection.streams);
  const values = { ...names, matched: formats.count(source - open), total: formats.count(source) };
  return [
    ...(isKept ? [t("lead.authors")] : []),
    open === 0
      ? t("lead.all", { ...values, count: source })
      : t("lead.some", { ...values, count: open, shown: formats.count(open) }),
    ...(unsure > 0 ? [t("lead.unsure", { count: unsure, shown: formats.count(unsure) })] : []),
  ].join(" ");
};

/** Nothing to decide, here or on the next screen: the sample can start. */
const AllMatched = ({ ready, sample }: { ready: ReadyMatching; sample: ReturnType<typeof useRunSample> }) => {
  const { t } = useTranslation("people");
  const formats = useFormats();
  const { source } = ready.facts.people;
  const fields = movingStreams(ready).reduce((sum, { sourceFields }) => sum + sourceFields.length, 0);
  return (
    <Notice tone="ok" icon={CircleCheck} title={t("nothing.title")} className="mb-6">
      <p>
        {t("nothing.people", { count: source, shown: formats.count(source) })}{" "}
        {fields > 0 && t("nothing.fields", { count: fields, shown: formats.count(fields) })}{" "}
        {t("nothing.text")}
      </p>
      <p className="mt-3">{sample.button}</p>
      {sample.notice}
    </Notice>
  );
};

interface MatcherProps extends Props {
  readonly suggested: WizardSuggestedPeople;
  readonly file: PeopleFileOutcome | null;
  readonly onFile: (outcome: PeopleFileOutcome) => void;
}

const Matcher = ({ ready, store, suggested, file, onFile }: MatcherProps) => {
  const { t } = useTranslation("people");
  const go = useGo();
  const formats = useFormats();
  const [busy, setBusy] = useState(false);
  const touching = useTouched();
  const sample = useRunSample(store);
  const unsure = toConfirm(suggested, ready.mapping, touching.touched).size;
  // As it was when the screen opened: the lists keep their rows, too.
  const [atFirst] = useState(() => ({
    open: openCount(ready),
    likely: toConfirm(suggested, ready.mapping, touching.touched),
  }));
  const meant = useMeant();
  // The list that contained the person when the screen opened.
  const [isDecided] = useState(() => meant !== null && choiceOf(ready.mapping, meant) !== undefined);
  const open = openCount(ready);
  const { source, complete } = ready.facts.people;
  const left = open + unsure;
  const isAllMatched = source > 0 && left === 0 && openDecisions(ready, touching.touched) === 0;
  const onward = async () => {
    setBusy(true);
    const saved = await store.flush();
    setBusy(false);
    if (saved) go("fields");
  };
  const shared = { ready, store, touching };
  const rest = source > 0 && <RestCard ready={ready} store={store} open={open} />;
  const isPolicyFirst = atFirst.open > many;
  return (
    <>
      <PageHead title={t("title")} lead={useLead(ready, open, unsure)} />
      <SaveNotices ready={ready} store={store} nameOf={nameOf} />
      {isAllMatched && <AllMatched ready={ready} sample={sample} />}
      {isPolicyFirst && <div className="mb-6">{rest}</div>}
      {(atFirst.open > 0 || atFirst.likely.size > 0) && (
        <OpenCard
          {...shared}
          total={atFirst.open}
          meant={isDecided ? null : meant}
          suggested={suggested}
          likely={atFirst.likely}
          left={left}
        />
      )}
      {!isPolicyFirst && rest}
      {source > open && <Decided {...shared} total={source - open} meant={isDecided ? meant : null} />}
      {source > many && <PeopleFile {...shared} outcome={file} onOutcome={onFile} />}
      {!complete && (
        <Notice tone="warn" className="mt-6">
          <p>{t("incomplete")}</p>
        </Notice>
      )}
      <Notice tone="ok" icon={MailX} className="mt-6">
        <p>
          <strong>{t("quiet.title")}</strong> <span className="muted">{t("quiet.text")}</span>
        </p>
      </Notice>
      <ReadAgain store={store} />
      <Actions
        dock
        status={<SaveWord saving={ready.saving} revision={ready.revision} />}
        {...(open > 0 && { aside: t("still", { count: open, shown: formats.count(open) }) })}
      >
        <Button
          look={isAllMatched ? "secondary" : "primary"}
          iconAfter={ArrowRight}
          busy={busy}
          onClick={() => void onward()}
        >
          {t("continue")}
        </Button>
        <ScreenLink to="choose" className={buttonClass({ look: "quiet" })}>
          {t("back")}
        </ScreenLink>
      </Actions>
    </>
  );
};

const none: WizardSuggestedPeople = { matches: [], likely: [] };

const Loaded = ({ ready, store }: Props) => {
  const { t } = useTranslation("people");
  const { data, isError } = useAnswer<WizardSuggestedPeople>("/mapping/people/suggested");
  const suggested = data ?? (isError ? none : null);
  const [files, setFiles] = useState<readonly PeopleFileOutcome[]>([]);
  const shared = { ready, store };
  // What a file has decided moves people between the lists, as if the screen was opened again.
  if (suggested)
    return (
      <Matcher
        key={files.length}
        {...shared}
        suggested={suggested}
        file={files.at(-1) ?? null}
        onFile={(outcome) => setFiles((before) => [...before, outcome])}
      />
    );
  return (
    <>
      <PageHead title={t("title")} />
      <Skeleton lines={6} />
    </>
  );
};

/** Matches people of the source to people of the destination. */
export const Screen = () => {
  const { t } = useTranslation("people");
  const { state, store } = useMatching();
  return (
    <Page title={t("documentTitle")} width="mid">
      {state.kind === "ready" ? (
        <Loaded key={state.reading} ready={state} store={store} />
      ) : (
        <>
          <PageHead title={t("title")} />
          {state.kind === "gathering" && <Gathering />}
          {state.kind === "failed" && <NotGathered problem={state.problem} again={() => void store.open()} />}
        </>
      )}
    </Page>
  );
};

import { ArrowRight, Check, CircleCheck, MailX, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Actions } from "../../../ui/actions.tsx";
import { Button, buttonClass } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { Fold } from "../../../ui/fold.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Pill } from "../../../ui/pill.tsx";
import "../../../ui/styles/match.css";
import { useFormats } from "../../../ui/use-formats.ts";
import { useImport } from "../../api/queries.ts";
import { useGo, useMeant } from "../../app/navigation.tsx";
import { Page, PageHead } from "../../app/page.tsx";
import { keepsAuthors } from "../../app/promises.ts";
import { ScreenLink } from "../../app/screen-link.tsx";
import { Gathering } from "../../matching/gathering.tsx";
import type { MatchingStore, ReadyMatching } from "../../matching/matching-store.ts";
import { NotGathered } from "../../matching/not-gathered.tsx";
import { ReadAgain } from "../../matching/read-again.tsx";
import { type NameOf, SaveNotices } from "../../matching/save-notices.tsx";
import { SaveWord } from "../../matching/save-word.tsx";
import { useMatching } from "../../matching/use-matching.ts";
import { useNames } from "../../matching/use-names.ts";
import { sourceName } from "./known-people.ts";
import { MatchLikely } from "./match-likely.tsx";
import { PeopleList } from "./people-list.tsx";
import { choiceOf } from "./person-choice.ts";
import { RestCard } from "./rest-card.tsx";

interface Props {
  readonly ready: ReadyMatching;
  readonly store: MatchingStore;
}

interface ListProps extends Props {
  readonly total: number;
  readonly meant: string | null;
}

const nameOf: NameOf = ({ path }) =>
  path[0] === "people" && path[1] === "choices" ? sourceName(path[2] ?? "") : undefined;

const openCount = ({ mapping, facts }: ReadyMatching) =>
  Math.max(0, facts.people.source - Object.keys(mapping.people.choices).length);

const OpenCard = ({ ready, store, total, meant }: ListProps) => {
  const { t } = useTranslation("people");
  const formats = useFormats();
  const open = openCount(ready);
  const counts = { open: formats.count(open), total: formats.count(total) };
  const pill =
    open === 0 ? (
      <Pill tone="ok" icon={Check}>
        {t("open.done")}
      </Pill>
    ) : (
      <Pill tone="warn" icon={TriangleAlert}>
        {t("open.pill", counts)}
      </Pill>
    );
  return (
    <Card ruled title={t("open.title")} aside={pill}>
      <PeopleList
        ready={ready}
        store={store}
        total={total}
        meant={meant}
        of="open"
        empty={t("open.nobody")}
        {...(ready.facts.people.likely > 0 && { tools: <MatchLikely ready={ready} store={store} /> })}
      />
    </Card>
  );
};

const Decided = ({ ready, store, total, meant }: ListProps) => {
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
      <PeopleList
        ready={ready}
        store={store}
        total={total}
        meant={meant}
        of="decided"
        empty={t("list.nothing")}
      />
    </Fold>
  );
};

const useLead = (ready: ReadyMatching, open: number) => {
  const { t } = useTranslation("people");
  const formats = useFormats();
  const names = useNames();
  const { kinds } = useImport();
  const { source, exact } = ready.facts.people;
  if (source === 0) return t("lead.none", names);
  const isKept = keepsAuthors(kinds, ready.mapping.selection.streams);
  const values = { ...names, exact: formats.count(exact), total: formats.count(source) };
  const found =
    open === 0
      ? t("lead.all", { ...values, count: source })
      : t("lead.some", { ...values, count: open, shown: formats.count(open) });
  return isKept ? `${t("lead.authors")} ${found}` : found;
};

const Matcher = ({ ready, store }: Props) => {
  const { t } = useTranslation("people");
  const go = useGo();
  const formats = useFormats();
  const [busy, setBusy] = useState(false);
  // The count when the screen opened: the list below keeps its rows, too.
  const [atFirst] = useState(() => openCount(ready));
  const meant = useMeant();
  // The list that contained the person when the screen opened.
  const [isDecided] = useState(() => meant !== null && choiceOf(ready.mapping, meant) !== undefined);
  const open = openCount(ready);
  const { source, complete } = ready.facts.people;
  const onward = async () => {
    setBusy(true);
    const saved = await store.flush();
    setBusy(false);
    if (saved) go("fields");
  };
  return (
    <>
      <PageHead title={t("title")} lead={useLead(ready, atFirst)} />
      <SaveNotices ready={ready} store={store} nameOf={nameOf} />
      {atFirst > 0 && (
        <OpenCard ready={ready} store={store} total={atFirst} meant={isDecided ? null : meant} />
      )}
      {source > 0 && <RestCard ready={ready} store={store} />}
      {source > open && (
        <Decided ready={ready} store={store} total={source - open} meant={isDecided ? meant : null} />
      )}
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
        aside={
          <>
            <SaveWord saving={ready.saving} revision={ready.revision} />{" "}
            {open > 0 && t("still", { count: open, shown: formats.count(open) })}
          </>
        }
      >
        <Button look="primary" iconAfter={ArrowRight} busy={busy} onClick={() => void onward()}>
          {t("continue")}
        </Button>
        <ScreenLink to="choose" className={buttonClass({ look: "quiet" })}>
          {t("back")}
        </ScreenLink>
      </Actions>
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
        <Matcher key={state.reading} ready={state} store={store} />
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

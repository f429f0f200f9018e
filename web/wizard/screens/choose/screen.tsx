import type { WizardChoices, WizardSelection } from "@portage/contract/wizard";
import { ArrowRight, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Actions } from "../../../ui/actions.tsx";
import { Button, buttonClass } from "../../../ui/button.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import "../../../ui/styles/choose.css";
import { type Problem, ProblemError } from "../../../client/problem.ts";
import { useImport } from "../../api/queries.ts";
import { useGo } from "../../app/navigation.tsx";
import { ServerText } from "../../app/server-text.tsx";
import { Page, PageHead } from "../../app/page.tsx";
import { ScreenLink } from "../../app/screen-link.tsx";
import { Conflict } from "./conflict.tsx";
import { HowFarBack } from "./how-far-back.tsx";
import { Precise } from "./precise.tsx";
import {
  type Draft,
  draftOf,
  inOrder,
  isComplete,
  isPrecise,
  movable,
  sameSelection,
  selectionOf,
} from "./selection.ts";
import { Stays } from "./stays.tsx";
import { StreamList } from "./stream-list.tsx";
import { Summary } from "./summary.tsx";
import { useChoices, useChosenCounts, useSaving } from "./use-choices.ts";

const NotSaved = ({ problem }: { problem: Problem }) => {
  const { t } = useTranslation("choose");
  const text =
    problem.kind === "refused" || problem.kind === "forbidden"
      ? problem.message
      : problem.kind === "invalid"
        ? (problem.errors["base"]?.join(" ") ?? t("failed.unexpected"))
        : problem.kind === "offline"
          ? t("failed.offline")
          : t("failed.unexpected");
  return (
    <Notice tone="bad" icon={TriangleAlert} title={t("failed.title")} alert className="mt-6">
      <p>{text}</p>
    </Notice>
  );
};

interface Base {
  readonly revision: number;
  readonly selection: WizardSelection;
}

interface ChooserProps {
  readonly choices: WizardChoices;
  readonly names: { readonly source: string; readonly destination: string };
}

/** The form, which starts with the saved selection. */
const Chooser = ({ choices, names }: ChooserProps) => {
  const { t } = useTranslation("choose");
  const go = useGo();
  const { streams } = choices;
  const { family } = useImport();
  const [edited, setEdited] = useState<Draft | null>(null);
  const [noDay, setNoDay] = useState(false);
  // The revision that the edits are based on: a later response must not make them look newer than they are.
  const [kept, setKept] = useState<Base | null>(null);
  const base: Base = kept ?? choices;
  const edit = (next: Draft) => {
    setKept(base);
    setEdited(next);
  };
  const draft = edited ?? draftOf(choices.selection, streams);
  const saving = useSaving();
  const selection = selectionOf(draft, streams);
  const isSaved = sameSelection(selection, base.selection);
  const dated = movable(streams).filter(({ name }) => choices.dated.includes(name) && draft.chosen.has(name));
  const isBusy = saving.state.kind === "gathering" || saving.state.kind === "saving";

  const save = async (based: number) => {
    if (!(await saving.save(based, isSaved && based === base.revision ? null : selection))) return;
    // What is saved is the base of later edits: a customer may come back before the next screen is loaded.
    setKept(null);
    setEdited(null);
    go("people");
  };
  const takeTheirs = (current: Base) => {
    setKept(current);
    setEdited(draftOf(current.selection, streams));
    saving.rest();
  };
  const isReady = draft.chosen.size > 0 && !noDay && isComplete(draft);
  const { counts, price, isCounting } = useChosenCounts(selection, isReady);
  const reason =
    draft.chosen.size === 0
      ? t("nothing")
      : noDay
        ? t("since.noDate")
        : isComplete(draft)
          ? null
          : t("precise.pick");
  // The children of a record that stays behind stay with it.
  const isLimited = (name: string): boolean => {
    if (draft.changedFrom === null && !isPrecise(draft)) return false;
    if (choices.choosable.includes(name)) return true;
    const parent = streams.find((each) => each.name === name)?.parent ?? null;
    return parent !== null && draft.chosen.has(parent) && isLimited(parent);
  };
  return (
    <>
      {saving.state.kind === "conflict" && (
        <div className="mb-6">
          <Conflict
            streams={streams}
            theirs={saving.state.current.selection}
            mine={selection}
            onTheirs={() => saving.state.kind === "conflict" && takeTheirs(saving.state.current)}
            onMine={() => saving.state.kind === "conflict" && void save(saving.state.current.revision)}
          />
        </div>
      )}
      <div className="cols">
        <div className="stack-6">
          <StreamList
            streams={streams}
            draft={draft}
            names={names}
            family={family}
            kinds={choices.kinds}
            onChange={edit}
          />
          {choices.trouble !== null && (
            <Notice tone="warn" icon={TriangleAlert}>
              <p>
                {t("trouble")} <ServerText>{choices.trouble}</ServerText>
              </p>
            </Notice>
          )}
          {dated.length > 0 && (
            <HowFarBack
              key={base.revision}
              streams={dated}
              value={draft.changedFrom}
              onChange={(changedFrom) => {
                setNoDay(changedFrom === undefined);
                if (changedFrom !== undefined) edit({ ...draft, changedFrom });
              }}
            />
          )}
          {movable(streams).some(
            ({ name }) => choices.choosable.includes(name) && draft.chosen.has(name),
          ) && (
            <Precise
              key={`precise-${base.revision}`}
              limits={draft}
              dated={dated.length > 0}
              onChange={(limits) => edit({ ...draft, ...limits })}
            />
          )}
          <Stays
            streams={inOrder(streams)}
            draft={draft}
            counts={counts}
            isCounting={isCounting}
            names={names}
            isLimited={isLimited}
          />
        </div>
        <Summary
          choices={choices}
          shown={inOrder(streams)}
          draft={draft}
          saved={isSaved}
          counts={counts}
          price={price}
          isCounting={isCounting}
          isLimited={isLimited}
        />
      </div>
      {saving.state.kind === "failed" && <NotSaved problem={saving.state.problem} />}
      {saving.state.kind === "gathering" && (
        <p className="muted t14 mt-6" role="status">
          {t("gatheringLong")}
        </p>
      )}
      <Actions dock>
        <Button
          look="primary"
          iconAfter={ArrowRight}
          busy={isBusy}
          disabledReason={reason}
          onClick={() => void save(base.revision)}
        >
          {saving.state.kind === "gathering"
            ? t("gathering")
            : saving.state.kind === "saving"
              ? t("saving")
              : t("continue")}
        </Button>
        <ScreenLink to="destination" className={buttonClass({ look: "quiet" })}>
          {t("back")}
        </ScreenLink>
      </Actions>
    </>
  );
};

/** Which kinds of records move, and since which date. */
export const Screen = () => {
  const { t } = useTranslation("choose");
  const found = useImport();
  const { data, error, refetch } = useChoices();
  const names = { source: found.sides.source.label, destination: found.partner.name };
  const message =
    error instanceof ProblemError && "message" in error.problem
      ? error.problem.message
      : t("failed.unexpected");
  return (
    <Page title={t("documentTitle")}>
      <PageHead title={t("title")} lead={t("lead", names)} />
      {data && <Chooser choices={data} names={names} />}
      {!data && error && (
        <Notice tone="warn" title={t("load.title")} alert>
          <p>{message}</p>
          <Button className="mt-4" onClick={() => void refetch()}>
            {t("load.again")}
          </Button>
        </Notice>
      )}
      {!data && !error && (
        <section className="card pad" aria-label={t("legend")}>
          <Skeleton lines={6} />
        </section>
      )}
    </Page>
  );
};

import { useTranslation } from "react-i18next";
import { Actions } from "../../../ui/actions.tsx";
import { buttonClass } from "../../../ui/button.tsx";
import "../../../ui/styles/match.css";
import { useFormats } from "../../../ui/use-formats.ts";
import { useImport } from "../../api/queries.ts";
import { Page, PageHead } from "../../app/page.tsx";
import { isUndoable } from "../../app/promises.ts";
import { ScreenLink } from "../../app/screen-link.tsx";
import { Gathering } from "../../matching/gathering.tsx";
import type { MatchingStore, ReadyMatching } from "../../matching/matching-store.ts";
import { NotGathered } from "../../matching/not-gathered.tsx";
import { PreviewCard } from "../../matching/preview-card.tsx";
import { movingStreams } from "../../matching/moving-streams.ts";
import { ReadAgain } from "../../matching/read-again.tsx";
import { type NameOf, SaveNotices } from "../../matching/save-notices.tsx";
import { SaveWord } from "../../matching/save-word.tsx";
import { useMatching } from "../../matching/use-matching.ts";
import { useRunSample } from "../../matching/use-run-sample.tsx";
import { FieldsCard } from "./fields-card.tsx";
import { openDecisions } from "./open-decisions.ts";
import { useTouched } from "../../matching/use-touched.ts";
import { WordsCard } from "./words-card.tsx";

interface Props {
  readonly ready: ReadyMatching;
  readonly store: MatchingStore;
}

const nameOf =
  ({ facts }: ReadyMatching): NameOf =>
  ({ path: [area, stream, part, key] }) => {
    if (area !== "streams" || part !== "fields") return undefined;
    const fields = facts.streams.find(({ name }) => name === stream)?.sourceFields;
    return fields?.find((field) => field.key === key)?.label;
  };

const Matcher = ({ ready, store }: Props) => {
  const { t } = useTranslation("fields");
  const formats = useFormats();
  const touching = useTouched();
  const sample = useRunSample(store);
  const { kinds } = useImport();
  const streams = movingStreams(ready);
  const withFields = streams.filter(({ sourceFields }) => sourceFields.length > 0);
  const open = openDecisions(ready, touching.touched);
  const lead =
    withFields.length === 0 && open === 0
      ? t("lead.none")
      : open === 0
        ? t("lead.done")
        : t("lead.some", { count: open, shown: formats.count(open) });
  return (
    <>
      <PageHead title={t("title")} lead={lead} />
      <SaveNotices ready={ready} store={store} nameOf={nameOf(ready)} />
      <div className="match2">
        <div className="stack-6">
          {streams.flatMap((stream) => [
            stream.sourceFields.length > 0 && (
              <FieldsCard key={stream.name} ready={ready} store={store} stream={stream} touching={touching} />
            ),
            <WordsCard key={`${stream.name} words`} ready={ready} store={store} stream={stream} />,
          ])}
          <ReadAgain store={store} />
        </div>
        <PreviewCard ready={ready} title={t("preview")} />
      </div>
      {sample.notice}
      <Actions
        dock
        status={<SaveWord saving={ready.saving} revision={ready.revision} />}
        aside={t(sample.isAgain ? "hintAgain" : isUndoable(kinds) ? "hint" : "hintOnly")}
      >
        {sample.button}
        <ScreenLink to="people" className={buttonClass({ look: "quiet" })}>
          {t("back")}
        </ScreenLink>
      </Actions>
    </>
  );
};

/** Matches source fields to destination fields. */
export const Screen = () => {
  const { t } = useTranslation("fields");
  const { state, store } = useMatching();
  return (
    <Page title={t("documentTitle")}>
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

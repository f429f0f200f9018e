import type { WizardPreview } from "@portage/contract/wizard";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { Actions } from "../../../ui/actions.tsx";
import { Button, buttonClass } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { Compare } from "../../../ui/compare.tsx";
import { ExternalLink } from "../../../ui/external-link.tsx";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { ProblemError } from "../../../client/problem.ts";
import { Page, PageHead } from "../../app/page.tsx";
import { ScreenLink } from "../../app/screen-link.tsx";
import { ServerText } from "../../app/server-text.tsx";
import { useKinds } from "../../app/use-kinds.ts";
import { Gathering } from "../../matching/gathering.tsx";
import type { MatchingStore, ReadyMatching } from "../../matching/matching-store.ts";
import { NotGathered } from "../../matching/not-gathered.tsx";
import { PreviewHead } from "../../matching/preview-head.tsx";
import { movingStreams } from "../../matching/moving-streams.ts";
import { PreviewTrouble } from "../../matching/preview-trouble.tsx";
import { SaveNotices } from "../../matching/save-notices.tsx";
import { useMatching } from "../../matching/use-matching.ts";
import { useNames } from "../../matching/use-names.ts";
import { usePreview, type Which } from "../../matching/use-preview.ts";
import { useRunSample } from "../../matching/use-run-sample.tsx";
import { useShownValue } from "../../matching/use-shown-value.ts";
import { withLabels } from "../../matching/with-labels.ts";

const Record = ({ shown, label }: { shown: WizardPreview; label: string }) => {
  const { t } = useTranslation("preview");
  const matching = useTranslation("matching");
  const names = useNames();
  const shownValue = useShownValue();
  const changed = shown.fields.filter(({ change }) => change !== undefined).length;
  return (
    <>
      <p className="pad muted" role="status">
        {changed === 0 ? t("same") : t("changes", { count: changed })}{" "}
        {shown.shortened.length > 0 && matching.t("preview.shortened")}
      </p>
      <Compare
        caption={t("caption", { stream: label, id: shown.id })}
        heads={{
          name: t("field"),
          before: `${names.source}: ${matching.t("preview.before")}`,
          after: `${names.destination}: ${matching.t("preview.after")}`,
        }}
        fields={shown.fields.map(({ field, label: name, before, after, change, why }) => ({
          key: field,
          name,
          before: shownValue(before),
          after: shownValue(after),
          change:
            change === undefined
              ? "same"
              : change === "cleared" || change === "truncated"
                ? "lost"
                : "matched",
          ...(why !== undefined && { reason: <ServerText>{why}</ServerText> }),
        }))}
      />
      {shown.sourceUrl !== null && (
        <p className="pad">
          <ExternalLink href={shown.sourceUrl}>{t("open", names)}</ExternalLink>
        </p>
      )}
    </>
  );
};

interface ByAddressProps {
  readonly error: Error | null;
  readonly busy: boolean;
  readonly onShow: (url: string) => void;
}

/** Errors about the address appear at its field. */
const isOfAddress = (error: Error | null): boolean =>
  error instanceof ProblemError && (error.problem.kind === "invalid" || error.problem.kind === "gone");

const useAddressError = (error: Error | null): string | undefined => {
  const { t } = useTranslation("preview");
  const names = useNames();
  if (!(error instanceof ProblemError)) return undefined;
  if (error.problem.kind === "invalid") return t("address.invalid", names);
  return error.problem.kind === "gone" ? t("address.missing", names) : undefined;
};

const ByAddress = ({ error, busy, onShow }: ByAddressProps) => {
  const { t } = useTranslation("preview");
  const names = useNames();
  const [url, setUrl] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (url.trim() !== "") onShow(url.trim());
  };
  return (
    <form className="card pad mt-6" onSubmit={submit}>
      <Field label={t("address.label")} hint={t("address.hint", names)} error={useAddressError(error)}>
        <Input
          type="url"
          inputMode="url"
          autoComplete="off"
          maxLength={4000}
          value={url}
          onChange={(event) => setUrl(event.target.value)}
        />
      </Field>
      <Button type="submit" className="mt-4" aria-busy={busy || undefined}>
        {busy ? t("address.showing") : t("address.show")}
      </Button>
    </form>
  );
};

const Previewer = ({ ready, store }: { ready: ReadyMatching; store: MatchingStore }) => {
  const { t } = useTranslation("preview");
  const streams = movingStreams(ready);
  const [which, setWhich] = useState<Which>(() => ({ stream: streams[0]?.name ?? "", at: 0 }));
  const isByAddress = which.url !== undefined;
  const { data, error, isFetching, isPlaceholderData, refetch } = usePreview(
    ready,
    streams.length === 0 ? null : which,
  );
  const sample = useRunSample(store);
  const stream = data?.stream ?? which.stream ?? "";
  const { title } = useKinds();
  const label = title(ready.facts.streams.find(({ name }) => name === stream)?.label ?? stream);
  const head = (
    <PreviewHead
      streams={streams}
      stream={which.stream ?? stream}
      at={which.at ?? 0}
      shown={data}
      onStream={(name) => setWhich({ stream: name, at: 0 })}
      onAt={(at) => setWhich({ stream, at })}
    />
  );
  return (
    <>
      <SaveNotices ready={ready} store={store} />
      <Card
        ruled
        title={isByAddress && data && !isPlaceholderData ? `${label} ${data.id}` : t("record")}
        aside={head}
      >
        {error && !(isByAddress && isOfAddress(error)) ? (
          <PreviewTrouble error={error} again={() => void refetch()} />
        ) : data && !error ? (
          <Record
            shown={{ ...data, fields: withLabels(ready.facts.streams, data.stream, data.fields) }}
            label={label}
          />
        ) : streams.length === 0 || error ? (
          <p className="pad muted">{t("nothing")}</p>
        ) : (
          <div className="pad">
            <Skeleton lines={8} marks={false} />
          </div>
        )}
      </Card>
      <ByAddress
        error={isByAddress ? error : null}
        busy={isByAddress && isFetching}
        onShow={(url) => (url === which.url ? void refetch() : setWhich({ url }))}
      />
      {sample.notice}
      <Actions dock>
        {sample.button}
        <ScreenLink to="fields" className={buttonClass({ look: "quiet" })}>
          {t("back")}
        </ScreenLink>
      </Actions>
    </>
  );
};

/** A preview of one of the customer's records, before anything is copied. */
export const Screen = () => {
  const { t } = useTranslation("preview");
  const { state, store } = useMatching();
  return (
    <Page title={t("documentTitle")} width="mid">
      <PageHead title={t("title")} lead={t("lead", useNames())} />
      {state.kind === "gathering" && <Gathering />}
      {state.kind === "failed" && <NotGathered problem={state.problem} again={() => void store.open()} />}
      {state.kind === "ready" && <Previewer key={state.reading} ready={state} store={store} />}
    </Page>
  );
};

import type { WizardSample } from "@portage/contract/wizard";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Select } from "../../../ui/select.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import "../../../ui/styles/review.css";
import { useFormats } from "../../../ui/use-formats.ts";
import { useAnswer, useImport } from "../../api/queries.ts";
import { useLive } from "../../api/use-live.ts";
import { NotLive } from "../../app/not-live.tsx";
import { Page, PageHead } from "../../app/page.tsx";
import { SafetyCounters } from "../../running/safety-counters.tsx";
import { AddRecord } from "../../sampling/add-record.tsx";
import { kindsOf, type SampleKind, waitingOf } from "../../sampling/sample-sums.ts";
import { useKinds } from "../../app/use-kinds.ts";
import { ComparedCard } from "./compared-card.tsx";
import { GoodToKnow } from "./good-to-know.tsx";
import { RecordList } from "./record-list.tsx";
import { ReviewActions } from "./review-actions.tsx";
import { useRecords } from "../../sampling/use-records.ts";
import { useRematch } from "./use-rematch.ts";

const useLead = (main: SampleKind | undefined): string => {
  const { t } = useTranslation("review");
  const { count } = useFormats();
  const { partner } = useImport();
  const { word } = useKinds();
  if (!main) return t("lead.none");
  const noted = Math.min(main.there, main.changed);
  const all = main.records - main.open;
  const values = {
    there: count(main.there),
    all: count(all),
    kind: word(main.label, all),
    destination: partner.name,
    noted: count(noted),
    exact: count(main.there - noted),
  };
  const there = t("lead.there", { ...values, count: main.there });
  const how =
    noted === 0 ? t("lead.exact", { count: main.there }) : t("lead.noted", { ...values, count: noted });
  return [there, ...(main.there === 0 ? [] : [how]), t("lead.decide")].join(" ");
};

/** The records of one kind: a list, and one of them field by field. */
const Reviewed = ({
  kinds,
  sample,
  again,
}: {
  kinds: readonly SampleKind[];
  sample: WizardSample;
  again: () => void;
}) => {
  const { t } = useTranslation("review");
  const { count } = useFormats();
  const { word, title: titleOf } = useKinds();
  const rematch = useRematch();
  const [asked, setAsked] = useState<string | null>(null);
  const kind = kinds.find(({ stream }) => stream === asked) ?? kinds[0];
  const { records, isError, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useRecords(
    kind?.stream ?? null,
  );
  const [picked, setPicked] = useState<string | null>(null);
  const current = records?.find(({ id }) => id === picked) ?? records?.[0];
  const waiting = waitingOf(sample.counts);
  useEffect(() => {
    // On narrow pages the details are below the list, so choosing a record moves the focus there.
    if (picked !== null && matchMedia("(max-width: 63.6875em)").matches)
      document.querySelector<HTMLElement>("#compared h2")?.focus();
  }, [picked]);
  const shown = kind ? kind.records - kind.open : 0;
  const title = t("list.title", { number: count(shown), kind: word(kind?.label ?? "", shown) });
  return (
    <>
      <div className="review mt-6">
        <div>
          <Card ruled title={title} aside={<span className="t13 muted">{t("list.sides")}</span>}>
            {kinds.length > 1 && (
              <div className="pad kinds">
                <Select
                  aria-label={t("list.kind")}
                  value={kind?.stream ?? ""}
                  options={kinds.map(({ stream, label, records: all, open }) => ({
                    value: stream,
                    label: t("list.option", { kind: titleOf(label), number: count(all - open) }),
                  }))}
                  onChange={(event) => {
                    setAsked(event.target.value);
                    setPicked(null);
                  }}
                />
              </div>
            )}
            {records ? (
              <RecordList
                records={records}
                label={t("list.region")}
                picked={current?.id}
                onPick={setPicked}
              />
            ) : isError ? (
              <div className="pad">
                <Notice tone="warn" title={t("list.error")}>
                  <Button className="mt-2" onClick={() => void refetch()}>
                    {t("list.retry")}
                  </Button>
                </Notice>
              </div>
            ) : (
              <div className="pad">
                <Skeleton lines={6} />
              </div>
            )}
            {hasNextPage && (
              <div className="pad">
                <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
                  {t("list.more")}
                </Button>
              </div>
            )}
          </Card>
        </div>
        <div className="stack-6">
          {current && (
            <ComparedCard
              key={`${current.stream}|${current.id}`}
              record={current}
              onWrong={rematch.isPossible ? rematch.go : null}
            />
          )}
          <GoodToKnow lost={kinds.reduce((sum, { lost }) => sum + lost, 0)} />
          <Card title={t("add.title")}>
            <div className="mt-3">
              <AddRecord onAdded={again} />
              {waiting > 0 && rematch.isPossible && (
                <p className="mt-3">
                  <Button busy={rematch.isBusy} onClick={() => rematch.go("sample")}>
                    {t("add.again", { count: waiting, number: count(waiting) })}
                  </Button>
                </p>
              )}
            </div>
          </Card>
        </div>
      </div>
      <ReviewActions rematch={rematch} canUndo={kinds.some(({ there }) => there > 0)} />
    </>
  );
};

/** The completed sample: the result of each record, before the customer decides. */
export const Screen = () => {
  const { t } = useTranslation("review");
  const { family } = useImport();
  const { progress, liveness } = useLive();
  const { data: sample, refetch } = useAnswer<WizardSample>("/sample");
  const kinds = sample ? kindsOf(sample.counts, family).filter(({ records, open }) => records > open) : [];
  const lead = useLead(kinds[0]);
  return (
    <Page title={t("documentTitle")}>
      <PageHead title={t("title")} lead={sample ? lead : t("lead.loading")} />
      <NotLive liveness={liveness} run={progress?.progress ?? null} />
      <SafetyCounters />
      {sample ? (
        <Reviewed kinds={kinds} sample={sample} again={() => void refetch()} />
      ) : (
        <div className="mt-6">
          <Skeleton lines={8} />
        </div>
      )}
    </Page>
  );
};

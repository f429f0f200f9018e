import type { WizardReport, WizardReportRecord, WizardReportRecords } from "@portage/contract/wizard";
import { useInfiniteQuery } from "@tanstack/react-query";
import { type ReactNode, useCallback, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../ui/button.tsx";
import { Segmented } from "../../../ui/choice.tsx";
import { ListChecks } from "lucide-react";
import { ExternalLink } from "../../../ui/external-link.tsx";
import { Fold } from "../../../ui/fold.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import "../../../ui/styles/done.css";
import { useFormats } from "../../../ui/use-formats.ts";
import { VirtualList } from "../../../ui/virtual-list.tsx";
import { useImport, valueOf } from "../../api/queries.ts";
import { useClient } from "../../api/use-client.tsx";
import { ServerText } from "../../app/server-text.tsx";
import { useKinds } from "../../app/use-kinds.ts";
import { useReasons } from "../../app/use-reasons.ts";
import { totalsOf } from "./report-sums.ts";

const states = ["failed", "skipped", "matched"] as const;

type State = (typeof states)[number];

const pageSize = 200;
const rowHeights = { withReason: 64, plain: 44 } as const;

const useRecords = (state: State) => {
  const client = useClient();
  return useInfiniteQuery({
    queryKey: [client.importId, "/report/records", state],
    queryFn: async ({ pageParam, signal }) => {
      const after = pageParam === "" ? "" : `&cursor=${encodeURIComponent(pageParam)}`;
      const path = `/report/records?state=${state}&limit=${pageSize}${after}`;
      return valueOf(await client.request<WizardReportRecords>(path, { signal }));
    },
    initialPageParam: "",
    getNextPageParam: ({ next }) => next,
    staleTime: Infinity,
    // Pages never change: comparing all of them with each new page would take longer than a frame.
    structuralSharing: false,
    refetchOnWindowFocus: false,
  });
};

const keyOf = ({ stream, id }: WizardReportRecord) => `${stream}|${id}`;

const hasOneReason = (records: readonly WizardReportRecord[]) =>
  records.length > 1 && new Set(records.map(({ code, detail }) => `${code}|${detail ?? ""}`)).size === 1;

const Records = ({ report }: { report: WizardReport }) => {
  const { t } = useTranslation("done");
  const { count } = useFormats();
  const { sides, partner } = useImport();
  const { word } = useKinds();
  const reasons = useReasons();
  const totals = totalsOf(report);
  const [state, setState] = useState<State>(states.find((each) => totals[each] > 0) ?? "failed");
  const { data, isPending, isError, isFetching, hasNextPage, fetchNextPage } = useRecords(state);
  const records = useMemo(() => data?.pages.flatMap((page) => page.records) ?? [], [data]);
  const labels = useMemo(
    () => new Map(report.streams.map(({ stream, label }) => [stream, label])),
    [report.streams],
  );
  const more = useCallback(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [hasNextPage, isFetching, isError, fetchNextPage]);
  const reasonOf = useCallback(
    ({ state: became, code, detail }: WizardReportRecord): ReactNode => {
      if (became === "matched") return null;
      if (detail !== null) return <ServerText>{detail}</ServerText>;
      return code === "" ? null : reasons.ofOne(became, code);
    },
    [reasons],
  );
  // Said once if it is the same for all of them.
  const shared = !hasNextPage && hasOneReason(records) ? records[0] : undefined;
  const isPlain = state === "matched" || shared !== undefined;
  const render = useCallback(
    (record: WizardReportRecord) => (
      <div className="left-row">
        <span className="font-medium">
          {t("list.record", { kind: word(labels.get(record.stream) ?? record.stream, 1), id: record.id })}
        </span>
        {record.address !== null && (
          <ExternalLink className="t14" href={record.address}>
            {t("list.open", { source: sides.source.label })}
          </ExternalLink>
        )}
        {!isPlain && <small>{reasonOf(record)}</small>}
      </div>
    ),
    [t, labels, word, reasonOf, isPlain, sides.source.label],
  );
  return (
    <>
      <div className="px-6 pt-4 pb-3">
        <Segmented
          legend={t("list.show")}
          hideLegend
          value={state}
          onChange={setState}
          options={states.map((each) => ({
            value: each,
            label: `${t(`list.${each}`)} (${count(totals[each])})`,
          }))}
        />
      </div>
      {state === "matched" && (
        <p className="muted px-6 pb-3">{t("list.matchedText", { destination: partner.name })}</p>
      )}
      {shared && state !== "matched" && <p className="muted px-6 pb-3">{reasonOf(shared)}</p>}
      {isPending ? (
        <div className="px-6 pb-6">
          <Skeleton lines={4} />
        </div>
      ) : (
        <VirtualList
          key={`${state}${isPlain}`}
          label={t("list.region")}
          items={records}
          keyOf={keyOf}
          render={render}
          total={totals[state]}
          rowHeight={isPlain ? rowHeights.plain : rowHeights.withReason}
          onNearEnd={more}
        />
      )}
      {!isPending && records.length === 0 && !hasNextPage && !isError && (
        <p className="muted px-6 pb-5">{t("list.empty")}</p>
      )}
      {isError && (
        <Notice tone="warn" className="m-4">
          <p>{t("list.error", { count: records.length, number: count(records.length) })}</p>
          <Button onClick={() => void fetchNextPage()}>{t("again")}</Button>
        </Notice>
      )}
      {!isError && hasNextPage && records.length === 0 && (
        <div className="px-6 pb-5">
          <Button busy={isFetching} onClick={() => void fetchNextPage()}>
            {t("list.more")}
          </Button>
        </div>
      )}
    </>
  );
};

/** Every record that was not just copied; the list is virtual, so any number works. Open if some failed. */
export const RecordsCard = ({ report }: { report: WizardReport }) => {
  const { t } = useTranslation("done");
  const { count } = useFormats();
  const { failed, skipped, matched } = totalsOf(report);
  const all = failed + skipped + matched;
  if (all === 0) return null;
  return (
    <Fold
      className="mt-6 no-print"
      icon={ListChecks}
      title={t("list.title")}
      hint={t("list.hint", { count: all, number: count(all) })}
      open={failed > 0}
    >
      <Records report={report} />
    </Fold>
  );
};

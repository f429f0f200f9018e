import type { WizardFixPreview, WizardMapping } from "@portage/contract/wizard";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Compare } from "../../../../ui/compare.tsx";
import { ExternalLink } from "../../../../ui/external-link.tsx";
import { Notice } from "../../../../ui/notice.tsx";
import { Skeleton } from "../../../../ui/skeleton.tsx";
import { valueOf } from "../../../api/queries.ts";
import { useClient } from "../../../api/use-client.tsx";
import { ServerText } from "../../../app/server-text.tsx";
import { PreviewTrouble } from "../../../matching/preview-trouble.tsx";
import { useNames } from "../../../matching/use-names.ts";
import { useShownValue } from "../../../matching/use-shown-value.ts";

interface ListProps {
  readonly stream: string;
  readonly code: string;
  /** With the fix, unsaved. */
  readonly mapping: WizardMapping;
}

const longest = 160;

const pauseMs = 400;

/** The latest text, once it has not changed for a moment. */
const useSettled = (text: string) => {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
};

/** Each question reads records in the customer's tool, so it waits until the fix is settled. */
const usePreview = (question: ListProps) => {
  const client = useClient();
  const now = JSON.stringify(question);
  const settled = useSettled(now);
  const query = useQuery({
    queryKey: [client.importId, "fix-preview", settled],
    queryFn: async ({ signal }) => {
      const body = JSON.parse(settled) as ListProps;
      return valueOf(
        await client.request<WizardFixPreview>("/report/fix-preview", { method: "POST", body, signal }),
      );
    },
    retry: false,
    refetchOnWindowFocus: false,
    gcTime: 0,
  });
  // What another fix would do is not shown for this one.
  return settled === now ? query : { ...query, data: undefined, error: null };
};

const Shown = ({ record }: { record: WizardFixPreview["records"][number] }) => {
  const { t } = useTranslation("fix");
  const names = useNames();
  const shown = useShownValue();
  const text = (value: Parameters<typeof shown>[0]) => shown(value).slice(0, longest).toWellFormed();
  const title = record.title ?? t("record", { id: record.id });
  return (
    <li>
      <p className="font-medium">
        {record.address === null ? (
          <bdi>{title}</bdi>
        ) : (
          <ExternalLink href={record.address}>
            <bdi>{title}</bdi>
          </ExternalLink>
        )}
      </p>
      {record.detail !== null && (
        <p className="t14 muted">
          {t("refusedWith", names)} <ServerText>{record.detail}</ServerText>
        </p>
      )}
      {record.outcome === "left_out" ? (
        <p className="t14">{t("leftOut")}</p>
      ) : record.fields.length === 0 ? (
        <p className="t14">{t("unchanged")}</p>
      ) : (
        <Compare
          caption={t("caption", { title })}
          heads={{ name: t("field"), before: t("before"), after: t("after") }}
          fields={record.fields.map(({ field, label, before, after }) => ({
            key: field,
            name: <bdi>{label}</bdi>,
            before: text(before),
            after: text(after),
            change: "matched" as const,
          }))}
        />
      )}
    </li>
  );
};

/** What the fix changes on a few of the records, as the copy would write them now. */
export const FixPreviewList = (props: ListProps) => {
  const { t } = useTranslation("fix");
  const { data, error, refetch } = usePreview(props);
  if (error) return <PreviewTrouble error={error} again={() => void refetch()} />;
  if (!data) return <Skeleton lines={3} marks={false} />;
  const helps = data.records.some(({ outcome, fields }) => outcome === "written" && fields.length > 0);
  return (
    <div className="mt-4" aria-live="polite">
      <h3 className="t14">{t("preview", { count: data.records.length })}</h3>
      <ul className="fixed-records">
        {data.records.map((record) => (
          <Shown key={record.id} record={record} />
        ))}
      </ul>
      {!helps && (
        <Notice tone="warn" className="mt-3">
          <p>{t("helpsNot")}</p>
        </Notice>
      )}
    </div>
  );
};

import type { WizardComparedField } from "@portage/contract/wizard";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Card } from "../../ui/card.tsx";
import { BeforeAfter } from "../../ui/before-after.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { ScreenLink } from "../app/screen-link.tsx";
import type { ReadyMatching } from "./matching-store.ts";
import { PreviewHead } from "./preview-head.tsx";
import { movingStreams } from "./moving-streams.ts";
import { PreviewTrouble } from "./preview-trouble.tsx";
import { ServerText } from "../app/server-text.tsx";
import { useNames } from "./use-names.ts";
import { usePreview } from "./use-preview.ts";
import { useShownValue } from "./use-shown-value.ts";
import { withLabels } from "./with-labels.ts";

const titles = new Set(["subject", "title", "name"]);
/** More is too much beside a form; the preview page shows everything. */
const most = 14;
const longest = 160;

const changedFirst = (a: WizardComparedField, b: WizardComparedField) =>
  Number(b.change !== undefined) - Number(a.change !== undefined);

const isLost = ({ change }: WizardComparedField) => change === "cleared" || change === "truncated";

const clipped = (text: string) =>
  text.length > longest ? `${text.slice(0, longest).toWellFormed()}…` : text;

const Pair = ({ fields }: { fields: readonly WizardComparedField[] }) => {
  const { t } = useTranslation("matching");
  const names = useNames();
  const shownValue = useShownValue();
  const subject = fields.find(({ field }) => titles.has(field));
  const rest = fields
    .filter((each) => each !== subject)
    .toSorted(changedFirst)
    .slice(0, most);
  const text = (value: WizardComparedField["before"]) => clipped(shownValue(value));
  const row = (each: WizardComparedField) => ({
    key: each.field,
    before: text(each.before),
    after: text(each.after),
    changed: each.change !== undefined,
    ...(each.why !== undefined && {
      reason: { text: <ServerText>{each.why}</ServerText>, isLost: isLost(each) },
    }),
  });
  return (
    <BeforeAfter
      caption={t("preview.record")}
      before={{ tool: names.source, caption: t("preview.before") }}
      after={{ tool: names.destination, caption: t("preview.after") }}
      fields={[
        ...(subject ? [row(subject)] : []),
        ...rest.map((each) => ({ ...row(each), name: each.label })),
      ]}
    />
  );
};

/** A live preview of one of the customer's records beside the form. */
export const PreviewCard = ({ ready, title }: { ready: ReadyMatching; title: string }) => {
  const { t } = useTranslation("matching");
  const names = useNames();
  const streams = movingStreams(ready);
  const [stream, setStream] = useState(streams[0]?.name ?? "");
  const [at, setAt] = useState(0);
  const { data, error, refetch } = usePreview(ready, stream === "" ? null : { stream, at });
  if (stream === "") return null;
  const onStream = (name: string) => {
    setStream(name);
    setAt(0);
  };
  return (
    <Card
      ruled
      className="side"
      title={title}
      aside={
        <PreviewHead
          streams={streams}
          stream={stream}
          at={at}
          onStream={onStream}
          onAt={setAt}
          shown={data}
        />
      }
      footer={<ScreenLink to="preview">{t("preview.full")}</ScreenLink>}
    >
      {error ? (
        <PreviewTrouble error={error} again={() => void refetch()} />
      ) : data ? (
        <>
          <Pair fields={withLabels(ready.facts.streams, data.stream, data.fields)} />
          <p className="pad t14 muted">{t("preview.mayDiffer", names)}</p>
        </>
      ) : (
        <div className="pad">
          <Skeleton lines={6} marks={false} />
        </div>
      )}
    </Card>
  );
};

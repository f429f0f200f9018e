import type { WizardStreamProgress } from "@portage/contract/wizard";
import { Check } from "lucide-react";
import { Trans, useTranslation } from "react-i18next";
import { Bar } from "../../ui/bar.tsx";
import { Icon } from "../../ui/icon.tsx";
import { StatusWord } from "../../ui/pill.tsx";
import "../../ui/styles/running.css";
import type { Tone } from "../../ui/tone.ts";
import { useFormats } from "../../ui/use-formats.ts";
import { streamIcon } from "../app/stream-icon.ts";
import { useKinds } from "../app/use-kinds.ts";
import { handledOf, isCounted, streamShare } from "./share-of.ts";

interface ByKindProps {
  readonly streams: readonly WizardStreamProgress[];
  readonly undo?: boolean;
  /** The run makes progress now; false while it is paused. */
  readonly live: boolean;
}

const Count = ({ stream, undo }: { stream: WizardStreamProgress; undo: boolean }) => {
  const { t } = useTranslation("running");
  const { count } = useFormats();
  const { done, total, state } = stream;
  const values = { done: count(handledOf(stream)), total: count(total) };
  if (!isCounted(stream))
    return <Trans t={t} i18nKey="byKind.soFar" values={values} components={{ b: <b /> }} />;
  if (state === "ended" && total === 0) return t("byKind.none");
  if (state === "ended" && handledOf(stream) === total && done === total)
    return (
      <StatusWord tone={undo ? "undo" : "ok"} icon={Check}>
        {t(undo ? "byKind.allRemoved" : "byKind.all", { count: total, number: count(total) })}
      </StatusWord>
    );
  return <Trans t={t} i18nKey="byKind.of" values={values} components={{ b: <b /> }} />;
};

const barTone = ({ state }: WizardStreamProgress, undo: boolean, live: boolean): { readonly tone?: Tone } => {
  if (undo) return { tone: "undo" };
  if (state === "ended") return { tone: "ok" };
  return live ? {} : { tone: "idle" };
};

/** The progress of each kind of record. */
export const ByKind = ({ streams, undo = false, live }: ByKindProps) => {
  const { t } = useTranslation("running");
  const { count } = useFormats();
  const { title } = useKinds();
  return (
    <ul className="prog">
      {streams.map((stream) => {
        const { skipped, failed } = stream;
        const notes = [
          skipped > 0 &&
            t(undo ? "byKind.kept" : "byKind.skipped", { count: skipped, number: count(skipped) }),
          failed > 0 && t("byKind.failed", { count: failed, number: count(failed) }),
        ].filter((note) => note !== false);
        return (
          <li key={stream.stream} className={stream.state === "waiting" ? "todo" : undefined}>
            <Icon of={streamIcon(stream.stream)} />
            <span className="font-medium">
              {title(stream.label)}
              {notes.length > 0 && <span className="hint">{` ${notes.join(", ")}`}</span>}
            </span>
            <span className="v">
              <Count stream={stream} undo={undo} />
            </span>
            <Bar
              label={title(stream.label)}
              share={streamShare(stream)}
              text={
                isCounted(stream)
                  ? t("byKind.text", { done: count(handledOf(stream)), total: count(stream.total) })
                  : t("soFar", { number: count(handledOf(stream)) })
              }
              live={live && stream.state === "running"}
              {...barTone(stream, undo, live)}
            />
          </li>
        );
      })}
    </ul>
  );
};

import type { WizardSampleChanges, WizardWarnings } from "@portage/contract/wizard";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { useFormats } from "../../../ui/use-formats.ts";
import { type ShownWarning, Warnings } from "../../../ui/warnings.tsx";
import { useAnswer, useImport } from "../../api/queries.ts";
import { changedFields } from "../../app/changed-fields.ts";
import { ServerText } from "../../app/server-text.tsx";
import { useKinds } from "../../app/use-kinds.ts";
import { useReasons } from "../../app/use-reasons.ts";
import { OwnLink } from "./own-link.tsx";

type Warning = WizardWarnings["warnings"][number];

const toneOf = ({ kind }: Warning): ShownWarning["tone"] => {
  if (kind === "failed") return "bad";
  return kind === "changed" || kind === "kept" ? "info" : "warn";
};

const Examples = ({ examples }: Pick<Warning, "examples">) => {
  const { t } = useTranslation("review");
  const { sides } = useImport();
  return (
    <>
      {`${t("know.examples")} `}
      {examples.slice(0, 3).map(({ id, address }, index) => (
        <span key={id}>
          {index > 0 && ", "}
          <OwnLink href={address} id={`#${id}`} label={t("list.openOld", { id, tool: sides.source.label })} />
        </span>
      ))}
    </>
  );
};

/** Each changed field, with its reason and an example record. */
const useChanged = () => {
  const { t } = useTranslation("review");
  const formats = useFormats();
  const { word } = useKinds();
  const { data, isError } = useAnswer<WizardSampleChanges>("/sample/changes");
  const shown = data && changedFields(data);
  return {
    isError,
    lines: shown?.map(
      ({ stream, label, fields, change, why, count, example }): ShownWarning => ({
        key: `${stream}|${change}|${why}|${count}|${example?.id}`,
        tone: "info",
        title: <bdi>{t(`know.${change}`, { count: fields.length, fields: formats.list(fields) })}</bdi>,
        count: `${formats.count(count)} ${word(label, count)}`,
        text: (
          <>
            <ServerText>{why}</ServerText> {example && <Examples examples={[example]} />}
          </>
        ),
      }),
    ),
  };
};

const useLines = (): readonly ShownWarning[] | undefined => {
  const { data } = useAnswer<WizardWarnings>("/warnings?limit=100");
  const changed = useChanged();
  const reasons = useReasons();
  const titleOf = ({ kind, code, stream, label, count, message }: Warning) =>
    kind === "import" ? (
      <ServerText>{message ?? code}</ServerText>
    ) : (
      reasons.ofMany(kind, code, { label: label ?? stream ?? "", count })
    );
  const lineOf = (warning: Warning): ShownWarning => ({
    key: `${warning.kind}|${warning.code}|${warning.stream ?? ""}`,
    tone: toneOf(warning),
    title: titleOf(warning),
    ...(warning.examples.length > 0 && { text: <Examples examples={warning.examples} /> }),
  });
  if (!data) return undefined;
  // If the field details failed to load, the warnings still say that fields changed.
  if (changed.isError) return data.warnings.map(lineOf);
  return (
    changed.lines && [...data.warnings.filter(({ kind }) => kind !== "changed").map(lineOf), ...changed.lines]
  );
};

const atFirst = 8;

/** Warnings about the sample, one line per cause, the worst first. */
export const GoodToKnow = ({ lost }: { lost: number }) => {
  const { t } = useTranslation("review");
  const { count } = useFormats();
  const [showsAll, setShowsAll] = useState(false);
  const lines = useLines();
  const things = lines?.length ?? 0;
  const headline =
    lost > 0
      ? t("know.lost", { count: lost, number: count(lost) })
      : things === 0
        ? t("know.noRecordLost")
        : t("know.nothingLost", { count: things, number: count(things) });
  return (
    <Card ruled title={t("know.title")} aside={lines && <span className="t13 muted">{headline}</span>}>
      {lines === undefined ? (
        <div className="pad">
          <Skeleton lines={3} />
        </div>
      ) : things === 0 ? (
        <p className="pad muted">{t("know.none")}</p>
      ) : (
        <Warnings warnings={showsAll ? lines : lines.slice(0, atFirst)} label={t("know.title")} />
      )}
      {things > atFirst && !showsAll && (
        <div className="pad">
          <Button onClick={() => setShowsAll(true)}>{t("know.all", { number: count(things) })}</Button>
        </div>
      )}
    </Card>
  );
};

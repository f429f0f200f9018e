import type { OperatorImportDetail, OperatorReport } from "@portage/contract/operator";
import { CircleCheck, CircleX } from "lucide-react";
import { useTranslation } from "react-i18next";
import { classNames } from "../../../ui/class-names.ts";
import { StatusWord } from "../../../ui/pill.tsx";
import { useFormats } from "../../../ui/use-formats.ts";
import { When } from "../../../ui/when.tsx";
import { useWords } from "../../i18n/use-words.ts";
import { Answered } from "../../app/answered.tsx";
import { Section } from "../../app/section.tsx";
import { useAnswer } from "../../api/queries.ts";
import { reportSums } from "./report-sums.ts";

type StreamReport = OperatorReport["streams"][number];

/** What the second reading of both tools showed, and what is not as in the source. */
const Notes = ({ of, behind }: { of: StreamReport; behind: number }) => {
  const { t } = useTranslation("import");
  const formats = useFormats();
  const { compared, same, differs, gone, doubled } = of.verified;
  const counts = [
    ["behind", behind],
    ["deleted", of.deleted_at_source],
    ["differs", differs],
    ["gone", gone],
    ["doubled", doubled],
  ] as const;
  const notes = [
    ...(compared > 0
      ? [t("report.compared", { compared: formats.count(compared), same: formats.count(same) })]
      : []),
    ...counts
      .filter(([, count]) => count > 0)
      .map(([key, count]) => t(`report.${key}`, { count, number: formats.count(count) })),
  ];
  return notes.length === 0 ? null : <span className="sub">{notes.join(" · ")}</span>;
};

const Stream = ({ of }: { of: StreamReport }) => {
  const { t } = useTranslation("import");
  const formats = useFormats();
  const { skipped, failed, behind, unaccounted } = reportSums(of);
  const counts = [
    ["source", of.source],
    ["written", of.written],
    ["matched", of.matched],
    ["skipped", skipped],
    ["failed", failed],
  ] as const;
  return (
    <tr>
      <td>
        {of.label}
        <Notes of={of} behind={behind} />
      </td>
      {counts.map(([key, count]) => (
        <td
          key={key}
          className={classNames("r num line", count === 0 && "hide", key === "failed" && count > 0 && "bad")}
          data-label={t(`report.${key}`)}
        >
          {formats.count(count)}
        </td>
      ))}
      <td className="full nowrap">
        {unaccounted === 0 ? (
          <StatusWord tone="ok" icon={CircleCheck}>
            {t("report.addsUp")}
          </StatusWord>
        ) : (
          <StatusWord tone="bad" icon={CircleX}>
            {t("report.off", { number: formats.count(unaccounted) })}
          </StatusWord>
        )}
      </td>
    </tr>
  );
};

/** The last run that completed a copy: its report has its number. */
export const reportedRun = (runs: OperatorImportDetail["runs"]): string | null =>
  runs.find(({ kind, state }) => kind !== "undo" && state === "done")?.id ?? null;

/** What became of all records of the source, and whether the sums match. Render it anew for another run. */
export const Report = ({ importId }: { importId: string }) => {
  const { t } = useTranslation("import");
  const formats = useFormats();
  const kind = useWords("runs");
  const query = useAnswer<OperatorReport>(`/imports/${importId}/report`);
  const run = query.data?.run;
  return (
    <Section
      title={t("report.title")}
      aside={
        run && (
          <span className="dim">
            {t("report.of", { number: formats.count(run.number), kind: kind(run.kind) })} ·{" "}
            <When at={run.ended_at} relative />
          </span>
        )
      }
    >
      <Answered query={query}>
        {({ undone, streams }) => (
          <>
            {undone && <p className="pad dim">{t("report.undone")}</p>}
            <table className="dt cards">
              <thead>
                <tr>
                  <th scope="col">{t("report.stream")}</th>
                  {(["source", "written", "matched", "skipped", "failed"] as const).map((key) => (
                    <th key={key} scope="col" className="r">
                      {t(`report.${key}`)}
                    </th>
                  ))}
                  <th scope="col">{t("report.check")}</th>
                </tr>
              </thead>
              <tbody>
                {streams
                  .filter(({ source, written }) => source + written > 0)
                  .map((each) => (
                    <Stream key={each.stream} of={each} />
                  ))}
              </tbody>
            </table>
          </>
        )}
      </Answered>
    </Section>
  );
};

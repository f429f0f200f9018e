import type { OperatorImportDetail } from "@portage/contract/operator";
import { CircleCheck, CirclePlay, Clock } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Bar } from "../../../ui/bar.tsx";
import { StatusWord } from "../../../ui/pill.tsx";
import { useFormats } from "../../../ui/use-formats.ts";
import { useWords } from "../../i18n/use-words.ts";
import { Section, WideTable } from "../../app/section.tsx";

const looks = {
  waiting: { tone: "idle", icon: Clock },
  running: { tone: "info", icon: CirclePlay },
  ended: { tone: "ok", icon: CircleCheck },
} as const;

/** How far the live run has come, by stream. */
export const Streams = ({ progress }: { progress: NonNullable<OperatorImportDetail["progress"]> }) => {
  const { t } = useTranslation("import");
  const formats = useFormats();
  const kind = useWords("runs");
  return (
    <Section title={t("streams.title")} aside={<span className="dim">{kind(progress.phase)}</span>}>
      <div className="pad">
        <Bar
          label={t("streams.all")}
          share={progress.total === 0 ? null : progress.done / progress.total}
          tone="info"
        />
      </div>
      <WideTable label={t("streams.table")}>
        <table className="dt">
          <thead>
            <tr>
              <th scope="col">{t("streams.stream")}</th>
              <th scope="col">{t("streams.state")}</th>
              {(["done", "skipped", "failed", "total"] as const).map((key) => (
                <th key={key} scope="col" className="r">
                  {t(`streams.${key}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {progress.streams.map(({ stream, state, done, skipped, failed, total }) => (
              <tr key={stream}>
                <td>{stream}</td>
                <td>
                  <StatusWord {...looks[state]}>{t(`streams.states.${state}`)}</StatusWord>
                </td>
                <td className="r num">{formats.count(done)}</td>
                <td className="r num">{formats.count(skipped)}</td>
                <td className={failed > 0 ? "r num bad" : "r num"}>{formats.count(failed)}</td>
                <td className="r num">{formats.count(total)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </WideTable>
    </Section>
  );
};

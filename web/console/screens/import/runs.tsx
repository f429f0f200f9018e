import type { OperatorImportDetail } from "@portage/contract/operator";
import { ChevronRight, CircleCheck, CirclePause, CirclePlay, CircleX, Hourglass } from "lucide-react";
import { Fragment } from "react";
import { useTranslation } from "react-i18next";
import { Icon, type LucideIcon } from "../../../ui/icon.tsx";
import { StatusWord } from "../../../ui/pill.tsx";
import "../../../ui/styles/disclosure.css";
import type { Tone } from "../../../ui/tone.ts";
import { useFormats } from "../../../ui/use-formats.ts";
import { When } from "../../../ui/when.tsx";
import { useWords } from "../../i18n/use-words.ts";
import { Section } from "../../app/section.tsx";
import { useNow } from "../../app/use-now.ts";
import { Partitions } from "./partitions.tsx";

type Run = OperatorImportDetail["runs"][number];

/** A run that was asked to pause or stop is shown as that: it reacts at its next page. */
const stateOf = ({ state, wanted, ended_at }: Run): string => {
  if (ended_at !== null || wanted === "run") return state;
  return wanted === "pause" ? "paused" : "stopping";
};

const looks: Readonly<Record<string, { readonly tone: Tone; readonly icon: LucideIcon }>> = {
  running: { tone: "info", icon: CirclePlay },
  waiting: { tone: "warn", icon: Hourglass },
  paused: { tone: "warn", icon: CirclePause },
  done: { tone: "ok", icon: CircleCheck },
  failed: { tone: "bad", icon: CircleX },
};
const otherwise = { tone: "idle", icon: CirclePause } as const;

const RunRow = ({ run }: { run: Run }) => {
  const { t } = useTranslation("import");
  const formats = useFormats();
  const kind = useWords("runs");
  const stateName = useWords("runStates");
  const now = useNow();
  const state = stateOf(run);
  const { tone, icon } = looks[state] ?? otherwise;
  const until = run.ended_at === null ? now.getTime() : Date.parse(run.ended_at);
  const causes = Array.isArray(run.causes) ? run.causes.length : 0;
  return (
    <tr>
      <td className="num hide">{formats.count(run.number)}</td>
      <td>
        {kind(run.kind)}
        {causes > 0 && (
          <span className="sub">{t("runs.causes", { count: causes, number: formats.count(causes) })}</span>
        )}
      </td>
      <td className="full">
        <StatusWord tone={tone} icon={icon}>
          {stateName(state)}
        </StatusWord>
        {run.failure && (
          <span className="sub">
            <code>{run.failure.code}</code> {run.failure.message}
          </span>
        )}
      </td>
      <td className="r num hide">{formats.duration((until - Date.parse(run.started_at)) / 1000)}</td>
      <td className="r num dim">
        <When at={run.started_at} />
      </td>
    </tr>
  );
};

/** The runs, newest first; the newest ones with their partitions. */
export const Runs = ({ runs }: Pick<OperatorImportDetail, "runs">) => {
  const { t } = useTranslation("import");
  const formats = useFormats();
  return (
    <Section title={t("runs.title")}>
      {runs.length === 0 ? (
        <p className="pad dim">{t("runs.none")}</p>
      ) : (
        <>
          <table className="dt cards">
            <thead>
              <tr>
                <th scope="col">{t("runs.run")}</th>
                <th scope="col">{t("runs.kind")}</th>
                <th scope="col">{t("runs.state")}</th>
                <th scope="col" className="r">
                  {t("runs.took")}
                </th>
                <th scope="col" className="r">
                  {t("runs.started")}
                </th>
              </tr>
            </thead>
            <tbody>
              {runs.map((run) => (
                <RunRow key={run.id} run={run} />
              ))}
            </tbody>
          </table>
          {runs.map(({ id, number, ended_at, partitions }) => (
            <Fragment key={id}>
              {partitions !== null && partitions.length > 0 && (
                <details className="more c-details" open={ended_at === null}>
                  <summary>
                    <Icon of={ChevronRight} size="s" className="chev flip" />
                    {t("runs.partitions", { number: formats.count(number) })}
                  </summary>
                  <Partitions
                    label={t("runs.partitions", { number: formats.count(number) })}
                    partitions={partitions}
                  />
                </details>
              )}
            </Fragment>
          ))}
        </>
      )}
    </Section>
  );
};

import type { OperatorImportDetail } from "@portage/contract/operator";
import { CirclePause, CircleStop, KeyRound } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Pill, StatusWord, statusLooks } from "../../../ui/pill.tsx";
import { useWords } from "../../i18n/use-words.ts";
import { Answered } from "../../app/answered.tsx";
import { importName } from "../../app/import-name.tsx";
import { ConsoleLink } from "../../app/navigation.tsx";
import { Page } from "../../app/page.tsx";
import { type ActionResult, ResultNotice } from "../../app/result-notice.tsx";
import { useRights } from "../../app/use-rights.ts";
import { useAnswer } from "../../api/queries.ts";
import { ActionButtons, AskAction, type RequestedAction } from "./actions.tsx";
import { Connections } from "./connections.tsx";
import { Deliveries } from "./deliveries.tsx";
import { Facts } from "./facts.tsx";
import { Findings } from "./findings.tsx";
import { Money } from "./money.tsx";
import { Report, reportedRun } from "./report.tsx";
import { Runs } from "./runs.tsx";
import { Streams } from "./streams.tsx";
import { StuckNotice } from "./stuck-notice.tsx";
import { Timeline } from "./timeline.tsx";

const whileRunningMs = 5_000;
const otherwiseMs = 30_000;

const Crumbs = ({ id }: { id: string }) => {
  const { t } = useTranslation("import");
  return (
    <nav className="crumbs" aria-label={t("crumbs")}>
      <ConsoleLink to="/imports">{t("imports")}</ConsoleLink>
      <span aria-hidden="true">/</span>
      <span className="mono">{id}</span>
    </nav>
  );
};

const State = ({ of }: { of: OperatorImportDetail }) => {
  const { t } = useTranslation("import");
  const closedAs = useWords("closed");
  const { tone, icon } = statusLooks[of.status_code];
  const state = of.progress?.state;
  return (
    <>
      <Pill tone={tone} icon={icon}>
        {of.status}
      </Pill>
      {of.closed !== null && <Pill tone="idle">{closedAs(of.closed)}</Pill>}
      {state === "paused" && (
        <StatusWord tone="warn" icon={CirclePause}>
          {t("paused")}
        </StatusWord>
      )}
      {state === "stopping" && (
        <StatusWord tone="warn" icon={CircleStop}>
          {t("stopping")}
        </StatusWord>
      )}
      {state === "waiting" && (
        <StatusWord tone="bad" icon={KeyRound}>
          {t("waiting")}
        </StatusWord>
      )}
    </>
  );
};

/** All that is known of one import, and what can be done to it. */
export const Screen = ({ id }: { id: string }) => {
  const [asked, setAsked] = useState<RequestedAction | null>(null);
  const [result, setResult] = useState<ActionResult | null>(null);
  const { seesAll } = useRights();
  const [isLive, setLive] = useState(false);
  const query = useAnswer<OperatorImportDetail>(`/imports/${id}`, {
    everyMs: isLive ? whileRunningMs : otherwiseMs,
  });
  const found = query.data;
  if (found && (found.live_run !== null) !== isLive) setLive(found.live_run !== null);
  return (
    <Page
      title={found ? importName(found) : id}
      crumbs={<Crumbs id={id} />}
      beside={found && <State of={found} />}
      actions={found && <ActionButtons of={found} ask={setAsked} />}
    >
      <ResultNotice result={result} />
      <Answered query={query} lines={10}>
        {(shown) => (
          <>
            <Facts of={shown} />
            {shown.stuck && <StuckNotice stuck={shown.stuck} />}
            <div className="c-grid a c-gap">
              <div className="c-col">
                {shown.progress && <Streams progress={shown.progress} />}
                <Runs runs={shown.runs} />
                <Findings of={shown} ask={setAsked} />
                {reportedRun(shown.runs) !== null && <Report key={reportedRun(shown.runs)} importId={id} />}
                <Deliveries of={shown} onResult={setResult} />
              </div>
              <div className="c-col">
                <Timeline entries={shown.timeline} />
                <Connections of={shown} />
                {seesAll && <Money importId={id} ask={setAsked} />}
              </div>
            </div>
          </>
        )}
      </Answered>
      {found && asked && (
        <AskAction
          of={found}
          asked={asked}
          onClose={() => setAsked(null)}
          onResult={(came) => {
            setAsked(null);
            setResult(came);
          }}
        />
      )}
    </Page>
  );
};

import type { WizardMoved, WizardReport, WizardUndoReport } from "@portage/contract/wizard";
import { useQueryClient } from "@tanstack/react-query";
import { Check, Download, Eraser } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Actions } from "../../../ui/actions.tsx";
import { Button, buttonClass } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { Icon } from "../../../ui/icon.tsx";
import "../../../ui/styles/message.css";
import { useFormats } from "../../../ui/use-formats.ts";
import { Warnings } from "../../../ui/warnings.tsx";
import { importQuery, useAnswer, useImport } from "../../api/queries.ts";
import { useClient } from "../../api/use-client.tsx";
import { BigMessage } from "../../app/big-message.tsx";
import { useGo } from "../../app/navigation.tsx";
import { nextScreen } from "../../app/next-screen.ts";
import { Page } from "../../app/page.tsx";
import { ServerText } from "../../app/server-text.tsx";
import { useReasons } from "../../app/use-reasons.ts";
import { ChangeProblem } from "../../running/change-problem.tsx";
import { useChange } from "../../running/use-change.ts";

const Facts = ({ report }: { report: WizardUndoReport }) => {
  const { t } = useTranslation("undo");
  const { count } = useFormats();
  const { sides, partner } = useImport();
  const removed = report.streams.reduce((sum, each) => sum + each.removed, 0);
  const fields = report.fields.filter(({ state }) => state === "removed").length;
  const holdsSignIns = sides.source.connected || sides.destination.connected;
  const facts = [
    removed > 0
      ? t("done.removed", { count: removed, number: count(removed), destination: partner.name })
      : t("done.nothingRemoved", { destination: partner.name }),
    ...(fields > 0 ? [t("done.fieldsRemoved", { count: fields, number: count(fields) })] : []),
    t("done.matching"),
    t(holdsSignIns ? "done.signIns" : "done.signInsGone"),
  ];
  return (
    <section className="card pad mt-8">
      <ul className="lst is-ok">
        {facts.map((fact) => (
          <li key={fact}>
            <Icon of={Check} />
            <span>{fact}</span>
          </li>
        ))}
      </ul>
    </section>
  );
};

const Stayed = ({ report }: { report: WizardUndoReport }) => {
  const { t } = useTranslation("undo");
  const reasons = useReasons();
  const fields = report.fields.filter(({ state }) => state === "kept");
  if (report.stayed.length + fields.length === 0) return null;
  return (
    <Card ruled title={t("done.stayedTitle")} className="mt-6">
      <Warnings
        label={t("done.stayedTitle")}
        warnings={[
          ...report.stayed.map(({ kind, code, stream, label, count }) => ({
            key: `${kind}|${code}|${stream}`,
            tone: "info" as const,
            title: reasons.ofMany(kind, code, { label, count }),
          })),
          ...fields.map(({ stream, name, why }) => ({
            key: `field|${stream}|${name}`,
            tone: "info" as const,
            title: t("done.fieldStayed", { name }),
            ...(why !== null && { text: <ServerText>{why}</ServerText> }),
          })),
        ]}
      />
    </Card>
  );
};

/** The result of an undo: what was removed, what stayed and why, and a button to start again. */
export const Undone = () => {
  const { t } = useTranslation("undo");
  const { count } = useFormats();
  const { sides } = useImport();
  const client = useClient();
  const { data: report } = useAnswer<WizardUndoReport>("/undo-report");
  const { data: moved } = useAnswer<WizardReport>("/report");
  const { busy, problem, request } = useChange();
  const go = useGo();
  const queryClient = useQueryClient();
  const startOver = async () => {
    await request<WizardMoved>("start", "/start-over");
    const now = queryClient.getQueryData(importQuery(client).queryKey);
    if (now && now.status.code !== "migration_cleaned") go(nextScreen(now));
  };
  const source = sides.source.label;
  const kept = report?.streams.reduce((sum, each) => sum + each.kept + each.failed, 0) ?? 0;
  return (
    <Page title={t("done.documentTitle")} width="narrow">
      <BigMessage
        icon={Eraser}
        tone="idle"
        title={t("done.title")}
        lead={
          kept === 0
            ? t("done.lead", { source })
            : t("done.leadKept", { count: kept, number: count(kept), source })
        }
      >
        {report && (
          <>
            <Facts report={report} />
            <Stayed report={report} />
          </>
        )}
        <ChangeProblem problem={problem} />
        <Actions fixed={false}>
          <Button look="primary" busy={busy !== null} onClick={() => void startOver()}>
            {t(busy === null ? "done.startOver" : "done.starting")}
          </Button>
          {moved && (
            <a className={buttonClass()} href={client.address("/report.csv")} download>
              <Icon of={Download} size="s" />
              {t("done.report")}
            </a>
          )}
        </Actions>
      </BigMessage>
    </Page>
  );
};

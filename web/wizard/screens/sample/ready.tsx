import type { WizardMoved, WizardSample } from "@portage/contract/wizard";
import { Check, FlaskConical, TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Actions } from "../../../ui/actions.tsx";
import { Button, buttonClass } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { Notice } from "../../../ui/notice.tsx";
import "../../../ui/styles/message.css";
import { useFormats } from "../../../ui/use-formats.ts";
import { useAnswer, useImport } from "../../api/queries.ts";
import { Page, PageHead } from "../../app/page.tsx";
import { isUndoable } from "../../app/promises.ts";
import { ScreenLink } from "../../app/screen-link.tsx";
import { ChangeProblem } from "../../running/change-problem.tsx";
import { FailureCause } from "../../running/failure-cause.tsx";
import { SafetyCounters } from "../../running/safety-counters.tsx";
import { useChange } from "../../running/use-change.ts";
import { AddRecord } from "../../sampling/add-record.tsx";
import { waitingOf } from "../../sampling/sample-sums.ts";

/** Shows that a sample ended early, until the customer starts another one. */
const EndedEarly = () => {
  const { t } = useTranslation("sample");
  const { warnings, run, partner } = useImport();
  if (run?.kind !== "sample") return null;
  const code = run.state === "failed" ? "failed" : run.state === "stopped" ? "stopped" : null;
  if (!code) return null;
  // The tool's own message says more than a generic error.
  const actions = warnings.filter((each) => each.code === "action_required");
  return (
    <Notice tone="warn" icon={TriangleAlert} title={t(`ended.${code}.title`)} className="mb-6">
      <p>{t(`ended.${code}.text`, { destination: partner.name })}</p>
      <FailureCause />
      {actions.map(({ message }) => (
        <p key={message}>{message}</p>
      ))}
    </Notice>
  );
};

const Taken = ({ sample }: { sample: WizardSample | undefined }) => {
  const { t } = useTranslation("sample");
  const { count } = useFormats();
  const { sides, partner } = useImport();
  const names = { source: sides.source.label, destination: partner.name };
  const added = sample ? waitingOf(sample.counts) : 0;
  const lines = [
    t("takes.choice"),
    t("takes.parts"),
    t("takes.people"),
    t("takes.read", names),
    ...(added > 0 ? [t("takes.added", { count: added, number: count(added) })] : []),
  ];
  return (
    <Card title={t("takes.title")}>
      <ul className="lst is-ok mt-3">
        {lines.map((line) => (
          <li key={line}>
            <Icon of={Check} />
            <span>{line}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
};

/** Before a sample: what it will copy, and the button that starts it. */
export const Ready = () => {
  const { t } = useTranslation("sample");
  const { sides, partner, run, kinds } = useImport();
  const { data: sample, refetch } = useAnswer<WizardSample>("/sample");
  const { busy, problem, request } = useChange();
  const again = run?.kind === "sample" && run.state === "done";
  const names = { source: sides.source.label, destination: partner.name };
  return (
    <Page title={t("ready.documentTitle")} width="mid">
      <PageHead
        title={t(again ? "ready.titleAgain" : "ready.title")}
        lead={t(again ? "ready.leadAgain" : "ready.lead", names)}
      />
      <EndedEarly />
      <Taken sample={sample} />
      <SafetyCounters />
      <Card title={t("add.title")} className="mt-4">
        <div className="mt-3">
          <AddRecord onAdded={() => void refetch()} />
        </div>
      </Card>
      <ChangeProblem problem={problem} />
      <Actions aside={t(isUndoable(kinds) ? "ready.hint" : "ready.hintStop")}>
        <Button
          look="primary"
          icon={FlaskConical}
          busy={busy !== null}
          onClick={() => void request<WizardMoved>("start", "/runs", { body: { kind: "sample" } })}
        >
          {busy === null ? t(again ? "ready.startAgain" : "ready.start") : t("ready.starting")}
        </Button>
        <ScreenLink to={again ? "review" : "people"} className={buttonClass({ look: "quiet" })}>
          {t(again ? "ready.last" : "ready.back")}
        </ScreenLink>
      </Actions>
    </Page>
  );
};

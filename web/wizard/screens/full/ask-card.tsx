import type { WizardAskedFull, WizardPreflight } from "@portage/contract/wizard";
import { Hourglass } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../ui/button.tsx";
import { Pill } from "../../../ui/pill.tsx";
import { useImport } from "../../api/queries.ts";
import { ChangeProblem } from "../../running/change-problem.tsx";
import { useChange } from "../../running/use-change.ts";
import { goElsewhere } from "./go-elsewhere.ts";
import { MoveFacts } from "./move-facts.tsx";
import { PayOneself } from "./pay-oneself.tsx";

interface AskCardProps {
  readonly preflight: WizardPreflight | undefined;
  readonly onPayOneself: (() => void) | null;
}

/** The partner decides who pays; the customer has not asked yet. */
export const AskCard = ({ preflight, onPayOneself }: AskCardProps) => {
  const { t } = useTranslation("full");
  const { partner } = useImport();
  const { busy, problem, request } = useChange();
  const names = { destination: partner.name };
  const ask = async () => {
    const asked = await request<WizardAskedFull>("ask", "/ask-full");
    if (asked.kind === "ok" && asked.value.fullRequestUrl !== null) goElsewhere(asked.value.fullRequestUrl);
  };
  return (
    <aside className="card pad decide" aria-label={t("decide.askLabel")}>
      <Pill tone="warn" icon={Hourglass}>
        {t("decide.askPill", names)}
      </Pill>
      <p className="muted mt-4">{t("decide.askText", names)}</p>
      <MoveFacts preflight={preflight} />
      <div className="mt-6">
        <Button look="primary" big full busy={busy !== null} onClick={() => void ask()}>
          {t(busy === null ? "decide.ask" : "decide.asking", names)}
        </Button>
      </div>
      <ChangeProblem problem={problem} />
      <PayOneself onPress={onPayOneself} />
    </aside>
  );
};

import type { WizardMoved, WizardPreflight } from "@portage/contract/wizard";
import { Gift } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../ui/button.tsx";
import { Pill } from "../../../ui/pill.tsx";
import { useImport } from "../../api/queries.ts";
import { ChangeProblem } from "../../running/change-problem.tsx";
import { useChange } from "../../running/use-change.ts";
import { MoveFacts } from "./move-facts.tsx";
import { MoneyBack, PaidByCustomer } from "./paid-by-customer.tsx";
import { PlannedStart } from "./planned-start.tsx";
import { blocksIn } from "./use-preflight.ts";

interface StartCardProps {
  readonly by: "partner" | "customer";
  readonly preflight: WizardPreflight | undefined;
}

/** The move is paid for: the customer can start it. */
export const StartCard = ({ by, preflight }: StartCardProps) => {
  const { t } = useTranslation("full");
  const found = useImport();
  const { busy, problem, request } = useChange();
  const { source, destination } = found.sides;
  const names = { destination: found.partner.name };
  const start = async () => {
    // The request moves a completed sample to "In preparation"; a repeated request changes nothing.
    if (found.status.code === "sample_completed") {
      const asked = await request<WizardMoved>("start", "/ask-full");
      if (asked.kind !== "ok") return;
    }
    await request<WizardMoved>("start", "/runs", { body: { kind: "full" } });
  };
  const reason = !(source.connected && destination.connected)
    ? t("decide.connect")
    : blocksIn(preflight) > 0
      ? t("decide.blocked")
      : null;
  return (
    <aside className="card pad decide" aria-label={t("decide.startLabel")}>
      {by === "partner" ? (
        <>
          <Pill tone="ok" icon={Gift}>
            {t("decide.sponsored", names)}
          </Pill>
          <p className="price mt-4">{t("decide.price")}</p>
          <p className="hint">{t("decide.priceText")}</p>
        </>
      ) : (
        <PaidByCustomer />
      )}
      <MoveFacts preflight={preflight} />
      <div className="mt-6">
        <Button
          look="primary"
          big
          full
          busy={busy !== null}
          disabledReason={reason}
          onClick={() => void start()}
        >
          {t(busy === null ? "decide.start" : "decide.starting")}
        </Button>
      </div>
      <ChangeProblem problem={problem} />
      {reason === null && <p className="hint mt-4 text-center">{t("decide.startNow")}</p>}
      <PlannedStart possible={reason === null} durationMs={preflight?.estimate?.durationMs ?? null} />
      {by === "customer" && <MoneyBack />}
    </aside>
  );
};

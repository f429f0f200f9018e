import { ArrowLeft, Undo2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Actions } from "../../../ui/actions.tsx";
import { buttonClass } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { Notice } from "../../../ui/notice.tsx";
import "../../../ui/styles/field.css";
import "../../../ui/styles/full.css";
import { useImport } from "../../api/queries.ts";
import { useLive } from "../../api/use-live.ts";
import { NotLive } from "../../app/not-live.tsx";
import { Page, PageHead } from "../../app/page.tsx";
import { ScreenLink } from "../../app/screen-link.tsx";
import { FailureCause } from "../../running/failure-cause.tsx";
import { AskCard } from "./ask-card.tsx";
import { BuyCard } from "./buy-card.tsx";
import { PreflightCard } from "./preflight-card.tsx";
import { StartCard } from "./start-card.tsx";
import { blocksIn, usePreflight } from "./use-preflight.ts";
import { usePurchase } from "./use-purchase.ts";
import { useReturnFromPayment } from "./use-return-from-payment.ts";
import { WaitingCard } from "./waiting-card.tsx";
import { leadOf } from "./lead-of.ts";
import { whoPays } from "./who-pays.ts";

/** Shows that a move ended early, until the customer starts it again. */
const Stopped = () => {
  const { t } = useTranslation("full");
  const { warnings, partner, run } = useImport();
  const code = (["run_failed", "run_stopped"] as const).find((each) =>
    warnings.some((warning) => warning.code === each),
  );
  if (!code) return null;
  return (
    <Notice tone="warn" title={t(`stopped.${code}`)} className="mb-6">
      <p>{t("stopped.text", { destination: partner.name })}</p>
      {/* The checks below say it, in the customer's language. */}
      {run?.failure?.code !== "message_sent" && <FailureCause />}
    </Notice>
  );
};

/** The full move: who pays, what blocks it, and the button that starts it. */
export const Screen = () => {
  const { t } = useTranslation("full");
  const found = useImport();
  // The partner may decide while the page is open.
  const { progress, liveness } = useLive();
  const check = usePreflight();
  const preflight = check.isFetching ? undefined : check.data;
  const { looking } = useReturnFromPayment();
  const { data: purchase } = usePurchase();
  const [paysOneself, setPaysOneself] = useState(false);
  // A customer who has started to pay while the partner decides sees the state of that payment.
  const isPaying = purchase?.checkout?.state === "open" || purchase?.checkout?.state === "opening";
  const decision = whoPays(found, { paysOneself: paysOneself || isPaying });
  const payOneself = purchase?.kind === "offer" ? () => setPaysOneself(true) : null;
  const blocked = decision.kind === "start" && blocksIn(preflight) > 0;
  const names = { source: found.sides.source.label, destination: found.partner.name };
  const lead = leadOf(decision, { blocked, purchase });
  const somethingThere = Object.keys(progress?.items ?? {}).length > 0;
  return (
    <Page title={t(`documentTitle.${decision.kind}`, names)}>
      <PageHead
        title={t(`title.${blocked ? "blocked" : decision.kind}`, names)}
        lead={t(`lead.${lead}`, names)}
      />
      <NotLive liveness={liveness} run={progress?.progress ?? null} />
      {looking && (
        <Notice tone="info" title={t("buy.looking")} className="mb-6">
          <p>{t("buy.lookingText")}</p>
        </Notice>
      )}
      {found.status.code === "in_preparation" && <Stopped />}
      <div className="cols wide-aside">
        <div>
          <PreflightCard check={check} />
        </div>
        {decision.kind === "start" && <StartCard by={decision.by} preflight={preflight} />}
        {decision.kind === "ask" && <AskCard preflight={preflight} onPayOneself={payOneself} />}
        {decision.kind === "waiting" && <WaitingCard preflight={preflight} onPayOneself={payOneself} />}
        {decision.kind === "buy" && (
          <BuyCard
            declined={decision.declined}
            preflight={preflight}
            onLeaveToPartner={paysOneself && !isPaying ? () => setPaysOneself(false) : null}
          />
        )}
      </div>
      <Actions fixed={false}>
        {somethingThere && (
          <>
            <ScreenLink to="review" className={buttonClass({ look: "quiet" })}>
              <Icon of={ArrowLeft} className="flip" />
              {t("back")}
            </ScreenLink>
            <ScreenLink to="undo" className={buttonClass({ look: "quiet" })}>
              <Icon of={Undo2} />
              {t("undo")}
            </ScreenLink>
          </>
        )}
      </Actions>
    </Page>
  );
};

import type { WizardAskedFull, WizardPreflight, WizardReminded } from "@portage/contract/wizard";
import { useQuery } from "@tanstack/react-query";
import { Hourglass } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Checks } from "../../../ui/checks.tsx";
import { ExternalLink } from "../../../ui/external-link.tsx";
import { Button, buttonClass } from "../../../ui/button.tsx";
import { Pill } from "../../../ui/pill.tsx";
import { useFormats } from "../../../ui/use-formats.ts";
import { useImport, valueOf } from "../../api/queries.ts";
import { useClient } from "../../api/use-client.tsx";
import { EmailMe } from "../../app/email-me.tsx";
import { ChangeProblem } from "../../running/change-problem.tsx";
import { useChange } from "../../running/use-change.ts";
import { MoveFacts } from "./move-facts.tsx";
import { PayOneself } from "./pay-oneself.tsx";
import { usePurchase, useRefreshPurchase } from "./use-purchase.ts";

/** Reminds the partner at most once a day. */
const Reminder = () => {
  const { t } = useTranslation("full");
  const formats = useFormats();
  const { data: purchase } = usePurchase();
  const refresh = useRefreshPurchase();
  const { busy, problem, request } = useChange();
  const { sentAt, may } = purchase?.reminder ?? { sentAt: null, may: false };
  const remind = async () => {
    await request<WizardReminded>("remind", "/remind-partner");
    await refresh();
  };
  return (
    <>
      {may && (
        <div className="mt-6">
          <Button full busy={busy !== null} onClick={() => void remind()}>
            {t(busy === null ? "decide.remind" : "decide.reminding")}
          </Button>
        </div>
      )}
      {!may && sentAt !== null && (
        <p className="hint mt-4 text-center" role="status">
          {t("decide.reminded", { when: formats.dateTime(sentAt) })}
        </p>
      )}
      <ChangeProblem problem={problem} />
    </>
  );
};

interface WaitingCardProps {
  readonly preflight: WizardPreflight | undefined;
  readonly onPayOneself: (() => void) | null;
}

/** The partner has not answered the request yet. */
export const WaitingCard = ({ preflight, onPayOneself }: WaitingCardProps) => {
  const { t } = useTranslation("full");
  const { partner } = useImport();
  const client = useClient();
  const names = { destination: partner.name };
  // A repeated request changes nothing; its answer has the URL of the partner's page for the decision.
  const { data } = useQuery({
    queryKey: [client.importId, "ask-full"],
    staleTime: Infinity,
    retry: false,
    queryFn: async () => valueOf(await client.request<WizardAskedFull>("/ask-full", { method: "POST" })),
  });
  return (
    <aside className="card pad decide" aria-label={t("decide.waitingLabel")}>
      <Pill tone="warn" icon={Hourglass}>
        {t("decide.waitingPill")}
      </Pill>
      <div className="mt-2">
        <Checks
          label={t("decide.waitingLabel")}
          checks={[
            { key: "asked", state: "done", title: t("decide.stepAsked", names) },
            {
              key: "decides",
              state: "waiting",
              title: t("decide.stepDecides", names),
              text: t("decide.stepDecidesText"),
            },
            { key: "start", state: "todo", title: t("decide.stepStart") },
          ]}
        />
      </div>
      <MoveFacts preflight={preflight} />
      {data?.fullRequestUrl != null && (
        <p className="mt-6">
          <ExternalLink className={buttonClass({ full: true })} href={data.fullRequestUrl}>
            {t("decide.openPage", names)}
          </ExternalLink>
        </p>
      )}
      <Reminder />
      <EmailMe of="answer" />
      <PayOneself onPress={onPayOneself} />
    </aside>
  );
};

import type { WizardPartner } from "@portage/contract/wizard";
import {
  CloudOff,
  KeyRound,
  Link as LinkIcon,
  MonitorUp,
  RefreshCw,
  Search,
  Share2,
  Wifi,
  Wrench,
} from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { DetailsForSupport } from "../../ui/details-for-support.tsx";
import { Icon, type LucideIcon } from "../../ui/icon.tsx";
import "../../ui/styles/message.css";
import { useFormats } from "../../ui/use-formats.ts";
import { type Problem, ProblemError } from "../../client/problem.ts";
import { BigMessage } from "./big-message.tsx";
import { Frame } from "./frame.tsx";
import { helpHref } from "./help-href.ts";
import { PartnerName } from "./partner-mark.tsx";

type Shown = "expired" | "gone" | "offline" | "unexpected";

const shownAs = (problem: Problem | null): Shown => {
  switch (problem?.kind) {
    case "expired":
    case "offline":
    case "unexpected":
      return problem.kind;
    case "refused":
    case "forbidden":
    case "invalid":
      return "unexpected";
    case "gone":
    case undefined:
      return "gone";
  }
};

const problemIn = (error: unknown): Problem | null => {
  if (error === null) return null;
  if (error instanceof ProblemError) return error.problem;
  return { kind: "unexpected", requestId: null };
};

const icons: Readonly<Record<Shown, LucideIcon>> = {
  expired: KeyRound,
  gone: Search,
  offline: CloudOff,
  unexpected: Wrench,
};

/** Retries automatically while offline, so that the customer need not press anything. */
const useRetryWhileOffline = (offline: boolean, again: () => void) => {
  useEffect(() => {
    if (!offline) return undefined;
    const timer = setInterval(again, 5_000);
    window.addEventListener("online", again);
    return () => {
      clearInterval(timer);
      window.removeEventListener("online", again);
    };
  }, [offline, again]);
};

const Advice = ({ shown }: { shown: Shown }) => {
  const { t } = useTranslation("shell");
  const advice: readonly (readonly [LucideIcon, string])[] = {
    expired: [
      [LinkIcon, t("problem.expired.link")] as const,
      [MonitorUp, t("problem.expired.partner")] as const,
      [Share2, t("problem.expired.share")] as const,
    ],
    gone: [
      [LinkIcon, t("problem.gone.link")] as const,
      [MonitorUp, t("problem.gone.partner")] as const,
      [Share2, t("problem.gone.share")] as const,
    ],
    offline: [
      [Wifi, t("problem.offline.connection")] as const,
      [RefreshCw, t("problem.offline.wait")] as const,
    ],
    unexpected: [
      [RefreshCw, t("problem.unexpected.again")] as const,
      [Wrench, t("problem.unexpected.tell")] as const,
    ],
  }[shown];
  return (
    <Card title={t("problem.whatYouCanDo")} className="mt-8">
      <ul className="lst mt-2 is-brand">
        {advice.map(([icon, text]) => (
          <li key={text}>
            <Icon of={icon} />
            <span>{text}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
};

interface ProblemPageProps {
  readonly error: unknown;
  readonly again: () => void;
  /** Given if already loaded. */
  readonly partner?: WizardPartner | undefined;
}

/** Replaces a screen: says what happened, what is safe and what to do, and links to help. */
export const ProblemPage = ({ error, again, partner }: ProblemPageProps) => {
  const { t } = useTranslation("shell");
  const formats = useFormats();
  const [at] = useState(() => new Date());
  const problem = problemIn(error);
  const shown = shownAs(problem);
  const title = t(`problem.${shown}.title`);
  useRetryWhileOffline(shown === "offline", again);
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <Frame
      partnerName={partner?.name ?? null}
      home={<PartnerName partner={partner} logo={null} />}
      helpHref={partner ? helpHref(partner) : null}
      privacyUrl={partner?.privacyUrl ?? null}
    >
      <main id="main" className="wz-main narrow">
        <BigMessage
          icon={icons[shown]}
          tone={shown === "unexpected" ? "bad" : "idle"}
          title={title}
          lead={t(`problem.${shown}.lead`)}
        >
          <Advice shown={shown} />
          {(shown === "offline" || shown === "unexpected") && (
            <div className="actions static justify-center">
              <Button look="primary" onClick={again}>
                {t("problem.tryAgain")}
              </Button>
            </div>
          )}
          {shown === "unexpected" && (
            <div className="mt-6">
              <DetailsForSupport
                details={[
                  [t("problem.support.what"), error instanceof Error ? error.message : shown],
                  [
                    t("problem.support.request"),
                    (problem?.kind === "unexpected" ? problem.requestId : null) ?? "–",
                  ],
                  [t("problem.support.page"), window.location.pathname],
                  [t("problem.support.when"), formats.dateTime(at)],
                ]}
              />
            </div>
          )}
        </BigMessage>
      </main>
    </Frame>
  );
};

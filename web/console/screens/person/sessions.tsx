import type { OperatorSession } from "@portage/contract/operator";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../ui/button.tsx";
import { Pill } from "../../../ui/pill.tsx";
import { useFormats } from "../../../ui/use-formats.ts";
import { When } from "../../../ui/when.tsx";
import { ActionDialog } from "../../app/action-dialog.tsx";
import { Answered } from "../../app/answered.tsx";
import type { ActionResult } from "../../app/result-notice.tsx";
import { Section } from "../../app/section.tsx";
import { useNow } from "../../app/use-now.ts";
import { useAnswer } from "../../api/queries.ts";
import { sessionState } from "./sign-in-states.ts";

interface SessionsProps {
  readonly personId: string;
  readonly onResult: (result: ActionResult) => void;
}

interface AskEndProps extends SessionsProps {
  readonly which: OperatorSession | "all";
  readonly onClose: () => void;
}

const AskEnd = ({ personId, which, onClose, onResult }: AskEndProps) => {
  const { t } = useTranslation("people");
  const formats = useFormats();
  const isAll = which === "all";
  return (
    <ActionDialog
      title={isAll ? t("sessions.ask.titleAll") : t("sessions.ask.title", { address: which.address })}
      text={t("sessions.ask.text")}
      confirm={isAll ? t("sessions.ask.confirmAll") : t("sessions.ask.confirm")}
      danger
      path={`/staff/${personId}/sessions/revoke`}
      body={isAll ? {} : { session_id: which.id }}
      onClose={onClose}
      onDone={(answer) => {
        onClose();
        const { revoked } = answer as { readonly revoked: number };
        const text = isAll
          ? t("sessions.ask.doneAll", { count: revoked, number: formats.count(revoked) })
          : t("sessions.ask.done");
        onResult({ text, copy: null });
      }}
    />
  );
};

/** The browsers that the person signed in with, each of which can be ended. */
export const Sessions = ({ personId, onResult }: SessionsProps) => {
  const { t } = useTranslation("people");
  const formats = useFormats();
  const now = useNow();
  const [asked, setAsked] = useState<OperatorSession | "all" | null>(null);
  const query = useAnswer<{ sessions: readonly OperatorSession[] }>(`/staff/${personId}/sessions`);
  const isAnyLive = query.data?.sessions.some((each) => sessionState(each, now) === "live") ?? false;
  return (
    <Section
      title={t("sessions.title")}
      aside={
        isAnyLive && (
          <Button look="danger-quiet" className="sm" onClick={() => setAsked("all")}>
            {t("sessions.endAll")}
          </Button>
        )
      }
    >
      <Answered query={query}>
        {({ sessions }) =>
          sessions.length === 0 ? (
            <p className="pad dim">{t("sessions.none")}</p>
          ) : (
            <table className="dt cards">
              <thead>
                <tr>
                  <th scope="col">{t("sessions.from")}</th>
                  <th scope="col">{t("sessions.by")}</th>
                  <th scope="col">{t("state")}</th>
                  <th scope="col" className="r">
                    {t("sessions.begun")}
                  </th>
                </tr>
              </thead>
              <tbody>
                {sessions.map((each) => {
                  const state = sessionState(each, now);
                  return (
                    <tr key={each.id}>
                      <td className="mono">{each.address}</td>
                      <td className="full">{t(`sessions.ways.${each.signed_in_by}`)}</td>
                      <td className="full">
                        <span className="row wrap">
                          <Pill tone={state === "live" ? "ok" : "idle"}>{t(`sessions.states.${state}`)}</Pill>
                          {state === "live" && (
                            <Button
                              look="danger-quiet"
                              className="sm"
                              aria-label={t("sessions.endOne", {
                                address: each.address,
                                time: formats.dateTime(each.created_at),
                              })}
                              onClick={() => setAsked(each)}
                            >
                              {t("sessions.end")}
                            </Button>
                          )}
                        </span>
                      </td>
                      <td className="r num dim">
                        <When at={each.created_at} relative />
                      </td>
                    </tr>
                  );
                })}
              </tbody>
            </table>
          )
        }
      </Answered>
      {asked && (
        <AskEnd personId={personId} which={asked} onClose={() => setAsked(null)} onResult={onResult} />
      )}
    </Section>
  );
};

import type { OperatorDelivery } from "@portage/contract/operator";
import { CircleCheck, CircleX, Clock, RefreshCw } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "../../ui/button.tsx";
import type { LucideIcon } from "../../ui/icon.tsx";
import { StatusWord } from "../../ui/pill.tsx";
import type { Tone } from "../../ui/tone.ts";
import { useFormats } from "../../ui/use-formats.ts";
import { When } from "../../ui/when.tsx";
import { useWords } from "../i18n/use-words.ts";
import { ConsoleLink } from "./navigation.tsx";
import { mayReplay } from "./replay.ts";

const looks: Readonly<Record<OperatorDelivery["state"], { readonly tone: Tone; readonly icon: LucideIcon }>> =
  {
    waiting: { tone: "warn", icon: Clock },
    sending: { tone: "info", icon: RefreshCw },
    held: { tone: "idle", icon: Clock },
    delivered: { tone: "ok", icon: CircleCheck },
    failed: { tone: "bad", icon: CircleX },
  };

const LastAnswer = ({ attempts }: Pick<OperatorDelivery, "attempts">) => {
  const { t } = useTranslation("import");
  const last = attempts.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at)).at(-1);
  if (!last) return "–";
  return last.status === null
    ? (last.error ?? t("deliveries.noAnswer"))
    : `${last.status} · ${last.duration_ms} ms`;
};

interface DeliveriesTableProps {
  readonly deliveries: readonly OperatorDelivery[];
  /** Left out: this person may not replay. */
  readonly replay?: ((delivery: OperatorDelivery) => void) | undefined;
  readonly withImport?: boolean;
}

/** Events with their deliveries, newest first. */
export const DeliveriesTable = ({ deliveries, replay, withImport = false }: DeliveriesTableProps) => {
  const { t } = useTranslation("import");
  const formats = useFormats();
  const stateName = useWords("deliveries");
  return (
    <table className="dt cards">
      <thead>
        <tr>
          <th scope="col">{t("deliveries.event")}</th>
          <th scope="col">{t("deliveries.state")}</th>
          <th scope="col">{t("deliveries.answer")}</th>
          <th scope="col" className="r">
            {t("deliveries.attempts")}
          </th>
          <th scope="col" className="r">
            {t("deliveries.time")}
          </th>
          {replay && (
            <th scope="col">
              <span className="vh">{t("deliveries.replay")}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {deliveries.map((each) => (
          <tr key={each.event_id}>
            <td>
              <code>{each.type}</code>
              {withImport && each.import_id !== null && (
                <span className="sub mono">
                  <ConsoleLink to={`/imports/${each.import_id}`}>{each.import_id}</ConsoleLink>
                </span>
              )}
            </td>
            <td className="full">
              <StatusWord {...looks[each.state]}>{stateName(each.state)}</StatusWord>
            </td>
            <td className="hide">
              <LastAnswer attempts={each.attempts} />
            </td>
            <td className="r num hide">{formats.count(each.attempts.length)}</td>
            <td className="r num dim">
              <When at={each.created_at} relative />
            </td>
            {replay && (
              <td className="full">
                {mayReplay(each) && (
                  <Button
                    className="sm"
                    aria-label={t("deliveries.replayOne", {
                      type: each.type,
                      time: formats.dateTime(each.created_at),
                    })}
                    onClick={() => replay(each)}
                  >
                    {t("deliveries.replay")}
                  </Button>
                )}
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
};

import type { WizardSample } from "@portage/contract/wizard";
import { useQuery } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Card } from "../../../ui/card.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import "../../../ui/styles/running.css";
import { Spinner } from "../../../ui/spinner.tsx";
import { useFormats } from "../../../ui/use-formats.ts";
import { answerQuery, useImport } from "../../api/queries.ts";
import { useClient } from "../../api/use-client.tsx";
import { kindsOf } from "../../sampling/sample-sums.ts";
import { useKinds } from "../../app/use-kinds.ts";

const askEveryMs = 4_000;

/** The records selected for the sample so far. */
export const ChosenCard = ({ isChoosing }: { isChoosing: boolean }) => {
  const { t } = useTranslation("sample");
  const { count } = useFormats();
  const { family } = useImport();
  const { word } = useKinds();
  const { data } = useQuery({
    ...answerQuery<WizardSample>(useClient(), "/sample"),
    refetchInterval: askEveryMs,
  });
  const kinds = data ? kindsOf(data.counts, family) : [];
  const coverage = data?.coverage ?? null;
  return (
    <Card ruled title={t("chosen.title")}>
      {isChoosing || kinds.length === 0 ? (
        <ul className="feed">
          <li className="now">
            <Spinner />
            <span>
              {t("chosen.choosing")}
              <small>{t("chosen.choosingText")}</small>
            </span>
          </li>
        </ul>
      ) : (
        <ul className="feed">
          {kinds.map(({ stream, label, records, chosen }) => (
            <li key={stream}>
              <Icon of={CircleCheck} />
              <span>
                {t("chosen.line", { number: count(records), kind: word(label, records) })}
                <small>
                  {chosen > 0
                    ? t("chosen.picked", { count: chosen, number: count(chosen) })
                    : t("chosen.needed")}
                </small>
              </span>
            </li>
          ))}
          {coverage && coverage.seen > 0 && (
            <li>
              <Icon of={CircleCheck} />
              <span>
                {t("chosen.covers", {
                  shown: count(Math.max(0, coverage.seen - coverage.missed.length)),
                  seen: count(coverage.seen),
                })}
                <small>{t("chosen.coversText")}</small>
              </span>
            </li>
          )}
        </ul>
      )}
      {!data && (
        <div className="pad">
          <Skeleton lines={3} />
        </div>
      )}
    </Card>
  );
};

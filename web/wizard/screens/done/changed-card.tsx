import type { WizardReport } from "@portage/contract/wizard";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { useFormats } from "../../../ui/use-formats.ts";
import { Warnings } from "../../../ui/warnings.tsx";
import { ServerText } from "../../app/server-text.tsx";
import { useKinds } from "../../app/use-kinds.ts";
import { type ChangedFields, changedFields } from "../../app/changed-fields.ts";

const atFirst = 6;

/** Fields that the destination holds in another form or not at all; the records themselves arrived. */
export const ChangedCard = ({ report }: { report: WizardReport }) => {
  const { t } = useTranslation("done");
  const formats = useFormats();
  const { word } = useKinds();
  const [showsAll, setShowsAll] = useState(false);
  const all = changedFields(report);
  if (all.length === 0) return null;
  const shown = showsAll ? all : all.slice(0, atFirst);
  const warningOf = ({ stream, label, fields, change, why, count }: ChangedFields) => ({
    key: `${stream}|${change}|${why}|${count}`,
    tone: "info" as const,
    text: <ServerText>{why}</ServerText>,
    title: t(`changed.${change}`, { count: fields.length, fields: formats.list(fields) }),
    count: `${formats.count(count)} ${word(label, count)}`,
  });
  return (
    <Card ruled title={t("changed.title")} className="mt-6">
      <Warnings warnings={shown.map(warningOf)} label={t("changed.title")} />
      {shown.length < all.length && (
        <div className="pad">
          <Button onClick={() => setShowsAll(true)}>
            {t("changed.all", { number: formats.count(all.length) })}
          </Button>
        </div>
      )}
    </Card>
  );
};

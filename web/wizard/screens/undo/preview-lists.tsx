import type { WizardUndoPreview } from "@portage/contract/wizard";
import { Check, X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Icon } from "../../../ui/icon.tsx";
import "../../../ui/styles/message.css";
import { useFormats } from "../../../ui/use-formats.ts";
import { useImport } from "../../api/queries.ts";
import { useKinds } from "../../app/use-kinds.ts";

const List = ({ tone, lines }: { tone: "bad" | "ok"; lines: readonly string[] }) => (
  <ul className={`lst mt-2 is-${tone}`}>
    {lines.map((line) => (
      <li key={line}>
        <Icon of={tone === "bad" ? X : Check} />
        <span>{line}</span>
      </li>
    ))}
  </ul>
);

/** Records that will be removed and records that stay, side by side. */
export const PreviewLists = ({ preview }: { preview: WizardUndoPreview }) => {
  const { t } = useTranslation("undo");
  const formats = useFormats();
  const { count } = formats;
  const { sides, partner } = useImport();
  const names = { source: sides.source.label, destination: partner.name };
  const kinds = useKinds();
  const { streams, fields } = preview;
  const line = (number: number, label: string) => ({
    count: number,
    number: count(number),
    kind: kinds.word(label, number),
  });
  const going = streams.filter(({ willGo }) => willGo > 0);
  const goes = [
    ...going.map(({ willGo, label, exact }) =>
      t(exact ? "confirm.line" : "confirm.about", line(willGo, label)),
    ),
    ...(fields.length > 0
      ? [
          t("confirm.fields", {
            count: fields.length,
            names: formats.list(fields.map((name) => `“${name}”`)),
          }),
        ]
      : []),
  ];
  const stays = [
    t("confirm.staysSource", names),
    t("confirm.staysOwn", names),
    ...streams
      .filter(({ matched }) => matched !== null && matched > 0)
      .map(({ matched, label }) => t("confirm.matched", line(matched ?? 0, label))),
    ...streams
      .filter(({ removable, copies }) => !removable && copies > 0)
      .map(({ copies, label }) => t("confirm.notRemovable", { ...names, ...line(copies, label) })),
    t("confirm.staysMatching"),
  ];
  return (
    <div className="two">
      <div>
        <h2 className="text-base">{t("confirm.goes", names)}</h2>
        {goes.length > 0 ? (
          <List tone="bad" lines={goes} />
        ) : (
          <p className="muted mt-2">{t("confirm.goesNothing")}</p>
        )}
      </div>
      <div>
        <h2 className="text-base">{t("confirm.stays")}</h2>
        <List tone="ok" lines={stays} />
      </div>
    </div>
  );
};

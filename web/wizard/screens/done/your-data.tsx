import { Undo2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import { buttonClass } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { Icon } from "../../../ui/icon.tsx";
import "../../../ui/styles/done.css";
import { useFormats } from "../../../ui/use-formats.ts";
import { useImport } from "../../api/queries.ts";
import { ScreenLink } from "../../app/screen-link.tsx";
import { useUndoLeaves } from "../../running/use-undo-leaves.ts";
import { Downloads } from "./downloads.tsx";
import { EraseSignIn } from "./erase-sign-in.tsx";

const Undo = () => {
  const { t } = useTranslation("done");
  const formats = useFormats();
  const leaves = useUndoLeaves();
  const { sides, partner, retention } = useImport();
  const names = { source: sides.source.label, destination: partner.name };
  return (
    <li>
      <Icon of={Undo2} size="l" />
      <h3>{t("next.undo")}</h3>
      <p>
        {retention.undoEndsAt === null
          ? t("next.undoTextNoDate", names)
          : t("next.undoText", { ...names, day: formats.day(retention.undoEndsAt) })}
        {leaves}
      </p>
      <ScreenLink to="undo" className={buttonClass({ look: "danger-quiet" })}>
        {t("next.undoButton")}
      </ScreenLink>
    </li>
  );
};

/** What the customer can take along, erase and undo. */
export const YourData = ({ hasReport }: { hasReport: boolean }) => {
  const { t } = useTranslation("done");
  return (
    <Card ruled title={t("data.title")} className="mt-6 no-print">
      <ul className="next">
        {hasReport && <Downloads />}
        <EraseSignIn side="source" />
        <EraseSignIn side="destination" />
        <Undo />
      </ul>
    </Card>
  );
};

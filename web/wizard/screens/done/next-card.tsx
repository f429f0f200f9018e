import { Undo2 } from "lucide-react";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { buttonClass } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import "../../../ui/styles/done.css";
import { useFormats } from "../../../ui/use-formats.ts";
import { useImport } from "../../api/queries.ts";
import { ScreenLink } from "../../app/screen-link.tsx";
import { useUndoLeaves } from "../../running/use-undo-leaves.ts";
import { EraseSignIn } from "./erase-sign-in.tsx";
import { LaterChanges } from "./later-changes.tsx";

/** The actions after the move. */
export const NextCard = () => {
  const { t } = useTranslation("done");
  const formats = useFormats();
  const id = useId();
  const leaves = useUndoLeaves();
  const { sides, partner, retention } = useImport();
  const names = { source: sides.source.label, destination: partner.name };
  return (
    <section className="card mt-6" aria-labelledby={id}>
      <h2 className="vh" id={id}>
        {t("next.title")}
      </h2>
      <ul className="next">
        <LaterChanges />
        <EraseSignIn side="source" />
        <EraseSignIn side="destination" />
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
      </ul>
    </section>
  );
};

import { CalendarClock, Mail, RefreshCw, Users } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button, buttonClass } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { Icon } from "../../../ui/icon.tsx";
import "../../../ui/styles/done.css";
import { useFormats } from "../../../ui/use-formats.ts";
import { useImport } from "../../api/queries.ts";
import { ScreenLink } from "../../app/screen-link.tsx";
import { ChangeProblem } from "../../running/change-problem.tsx";
import { useNow } from "../../running/use-now.ts";
import { useLater } from "./use-later.ts";

const BringChanges = () => {
  const { t } = useTranslation("done");
  const formats = useFormats();
  const { sides, partner } = useImport();
  const later = useLater();
  if (!later || later.includedUntil === null) return null;
  const { includedUntil, isOver, missing, busy, problem, start } = later;
  const names = { source: sides.source.label, destination: partner.name };
  const day = formats.day(includedUntil);
  const tool = missing === "destination" ? names.destination : names.source;
  return (
    <li>
      <Icon of={RefreshCw} size="l" />
      <h3>{t("next.delta")}</h3>
      <p>
        {isOver
          ? t("next.deltaOver", { day })
          : missing === null
            ? t("next.deltaText", { ...names, day })
            : t("next.deltaSignIn", { tool, day })}
      </p>
      {!isOver && missing === null && (
        <Button busy={busy !== null} onClick={() => start("delta")}>
          {t(busy === null ? "next.deltaButton" : "next.starting")}
        </Button>
      )}
      {!isOver && missing !== null && (
        <ScreenLink to={missing === "source" ? "connect" : "destination"} className={buttonClass()}>
          {t("next.deltaSignInButton", { tool })}
        </ScreenLink>
      )}
      <div className="problem">
        <ChangeProblem problem={problem} />
      </div>
    </li>
  );
};

/** Until when the old tool is of use: for later changes, and to compare with before an undo. */
const KeepOld = () => {
  const { t } = useTranslation("done");
  const formats = useFormats();
  const now = useNow();
  const { sides, retention } = useImport();
  const source = sides.source.label;
  const days = [useLater()?.includedUntil ?? null, retention.undoEndsAt].filter(
    (day): day is string => day !== null && new Date(day).getTime() > now,
  );
  const last = days.toSorted().at(-1);
  return (
    <li>
      <Icon of={CalendarClock} size="l" />
      <h3>
        {last === undefined
          ? t("switch.keepNoDay", { source })
          : t("switch.keep", { source, day: formats.day(last) })}
      </h3>
      <p>{t(last === undefined ? "switch.keepTextNoDay" : "switch.keepText", { source })}</p>
    </li>
  );
};

/** What is left to do before a team works in the new tool. */
export const BeforeSwitch = () => {
  const { t } = useTranslation("done");
  const { sides, partner, family } = useImport();
  const names = { source: sides.source.label, destination: partner.name };
  return (
    <Card ruled title={t("switch.title")} className="mt-6 no-print">
      <ul className="next">
        <BringChanges />
        {family === "helpdesk" && (
          <li>
            <Icon of={Mail} size="l" />
            <h3>{t("switch.mail", names)}</h3>
            <p>{t("switch.mailText", names)}</p>
          </li>
        )}
        <li>
          <Icon of={Users} size="l" />
          <h3>{t("switch.team")}</h3>
          <p>{t("switch.teamText", names)}</p>
        </li>
        <KeepOld />
      </ul>
    </Card>
  );
};

import type { WizardSide } from "@portage/contract/wizard";
import { Check, X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Icon } from "../../../ui/icon.tsx";
import { useImport } from "../../api/queries.ts";
import { isUndoable } from "../../app/promises.ts";

/** The permissions that the tool's page will ask for, and those that we never request. */
export const Permissions = ({ side }: { side: WizardSide }) => {
  const { t } = useTranslation("connect");
  const { family, sides, kinds } = useImport();
  const { label: tool, readOnly } = sides[side];
  const isSource = side === "source";
  // A tool without separate read permissions asks for both, so we promise nothing here.
  if (isSource && !readOnly) return null;
  const { 3: removing, ...writing } = t("allow.write", { returnObjects: true });
  const asked = isSource
    ? Object.values(t(`allow.read.${family}`, { returnObjects: true }))
    : [...Object.values(writing), ...(isUndoable(kinds) ? [removing] : [])];
  const notAsked = Object.values(
    isSource
      ? t("allow.notForSource", { returnObjects: true })
      : t("allow.notForDestination", { returnObjects: true }),
  );
  return (
    <div className="perm border-t border-line">
      <div>
        <h2>{t("allow.title", { tool })}</h2>
        <ul>
          {asked.map((each) => (
            <li key={each}>
              <Icon of={Check} className="ok" />
              {each}
            </li>
          ))}
        </ul>
      </div>
      <div>
        <h2>{t("allow.notTitle")}</h2>
        <ul>
          {notAsked.map((each) => (
            <li key={each}>
              <Icon of={X} className="dim" />
              {each}
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
};

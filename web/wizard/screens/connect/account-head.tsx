import type { WizardSideState } from "@portage/contract/wizard";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import "../../../ui/styles/connect.css";
import { Tile } from "../../../ui/tile.tsx";

interface AccountHeadProps {
  readonly state: WizardSideState;
  readonly pill: ReactNode;
  readonly brand?: boolean;
  readonly logo?: string | null;
}

const hostIn = (values: WizardSideState["values"]): string | null => {
  const { instanceUrl } = values;
  return typeof instanceUrl === "string" ? (URL.parse(instanceUrl)?.host ?? null) : null;
};

/** The connected account. */
export const AccountHead = ({ state, pill, brand = false, logo = null }: AccountHeadProps) => {
  const { t } = useTranslation("connect");
  const host = hostIn(state.values);
  const name = state.accountName ?? host ?? state.label;
  const parts = [
    host !== null && host !== name ? host : null,
    state.signInName === null ? null : t("connected.signedInAs", { name: state.signInName }),
  ].filter((each) => each !== null);
  return (
    <div className="acct">
      <Tile name={state.label} brand={brand} logo={logo} />
      <div className="min-w-0 break-words">
        <b>{name}</b>
        {parts.length > 0 && <div className="hint">{parts.join(" · ")}</div>}
      </div>
      {pill}
    </div>
  );
};

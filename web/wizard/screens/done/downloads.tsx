import { Download } from "lucide-react";
import { useTranslation } from "react-i18next";
import { buttonClass } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { useClient } from "../../api/use-client.tsx";

/** The files that the customer can keep. */
export const Downloads = () => {
  const { t } = useTranslation("done");
  const client = useClient();
  return (
    <li>
      <Icon of={Download} size="l" />
      <h3>{t("downloads.title")}</h3>
      <p>{t("downloads.text")}</p>
      <div className="btns">
        <a className={buttonClass()} href={client.address("/report.csv")} download>
          {t("downloads.report")}
        </a>
        <a
          className={buttonClass({ look: "quiet" })}
          href={client.address("/report/summary")}
          download={`summary-${client.importId}.json`}
        >
          {t("downloads.summary")}
        </a>
      </div>
    </li>
  );
};

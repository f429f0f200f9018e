import { useTranslation } from "react-i18next";
import { useImport } from "../../api/queries.ts";
import { helpHref } from "../../app/help-href.ts";

/** Whom to ask for what nobody but the partner can tell. */
export const AskPartner = () => {
  const { t } = useTranslation("connect");
  const { partner } = useImport();
  const href = helpHref(partner);
  const names = { partner: partner.name };
  return (
    <>
      {t("form.notGotIt")}{" "}
      {href === null ? (
        t("form.askPartnerSelf", names)
      ) : (
        <>
          <a href={href} target="_blank" rel="noopener noreferrer">
            {t("form.askPartner", names)}
          </a>
          .
        </>
      )}
    </>
  );
};

import { useTranslation } from "react-i18next";
import { useImport } from "../../api/queries.ts";
import { helpHref } from "../../app/help-href.ts";

/** A link to the partner's help, for values that only the partner has. */
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

import { useTranslation } from "react-i18next";
import "../../../ui/styles/as-link.css";

/** Lets a customer who can't wait for the partner pay instead; null: there is no offer. */
export const PayOneself = ({ onPress }: { onPress: (() => void) | null }) => {
  const { t } = useTranslation("full");
  if (onPress === null) return null;
  return (
    <p className="hint mt-4 text-center">
      {t("decide.hurry")}{" "}
      <button type="button" className="as-link" onClick={onPress}>
        {t("decide.payOneself")}
      </button>
    </p>
  );
};

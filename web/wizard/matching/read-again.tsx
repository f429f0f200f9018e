import { RefreshCw } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "../../ui/button.tsx";
import type { MatchingStore } from "./matching-store.ts";
import { useNames } from "./use-names.ts";

/** For customers who have just added a person or a field in a tool. */
export const ReadAgain = ({ store }: { store: MatchingStore }) => {
  const { t } = useTranslation("matching");
  return (
    <p className="hint row wrap mt-6">
      {t("again.text", useNames())}
      <Button look="quiet" icon={RefreshCw} onClick={() => void store.readAgain()}>
        {t("again.press")}
      </Button>
    </p>
  );
};

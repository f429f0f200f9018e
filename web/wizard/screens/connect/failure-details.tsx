import { useTranslation } from "react-i18next";
import { DetailsForSupport } from "../../../ui/details-for-support.tsx";
import type { Failure } from "./failure.ts";

/** Codes for support. */
export const FailureDetails = ({ failure, tool }: { failure: Failure; tool: string }) => {
  const { t } = useTranslation("connect");
  const { kind, refusal, requestId, at } = failure;
  return (
    <DetailsForSupport
      details={[
        [t("fix.details.tool"), tool],
        [t("fix.details.code"), refusal?.code ?? kind],
        ...(refusal ? [[t("fix.details.detail"), refusal.detail] as const] : []),
        ...(requestId === null ? [] : [[t("fix.details.request"), requestId] as const]),
        [t("fix.details.when"), at.toISOString()],
      ]}
    />
  );
};

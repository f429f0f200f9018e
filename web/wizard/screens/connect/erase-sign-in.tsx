import type { WizardSide } from "@portage/contract/wizard";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { Notice } from "../../../ui/notice.tsx";
import { useImport, useRefreshImport } from "../../api/queries.ts";
import { useClient } from "../../api/use-client.tsx";
import { namesFor } from "./names.ts";

const ConfirmDialog = lazy(async () => ({
  default: (await import("../../../ui/confirm-dialog.tsx")).ConfirmDialog,
}));

/** Erases a sign-in, here and at the tool, after a confirmation. */
export const EraseSignIn = ({ side }: { side: WizardSide }) => {
  const { t } = useTranslation(["connect", "files"]);
  const client = useClient();
  const refresh = useRefreshImport();
  const found = useImport();
  const names = namesFor(found, side);
  const isFiles = found.sides[side].signIn === "none";
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const erase = async () => {
    setBusy(true);
    const outcome = await client.request(`/connections/${side}`, { method: "DELETE" });
    await refresh();
    setBusy(false);
    setAsking(false);
    setRefused(outcome.kind === "ok" ? null : "message" in outcome ? outcome.message : t("send.failed"));
  };
  return (
    <>
      <button type="button" className="link t14" onClick={() => setAsking(true)}>
        {isFiles ? t("files:erase.action") : t("erase.action")}
      </button>
      {refused !== null && (
        <Notice tone="warn" title={t("erase.refused")} alert className="mt-4">
          <p>{refused}</p>
        </Notice>
      )}
      <Suspense>
        {asking && (
          <ConfirmDialog
            open
            onClose={() => setAsking(false)}
            title={isFiles ? t("files:erase.title") : t("erase.title", names)}
            confirm={busy ? t("erase.busy") : isFiles ? t("files:erase.confirm") : t("erase.confirm")}
            onConfirm={() => void erase()}
            busy={busy}
            danger
          >
            <p>{isFiles ? t("files:erase.text") : t("erase.text", names)}</p>
          </ConfirmDialog>
        )}
      </Suspense>
    </>
  );
};

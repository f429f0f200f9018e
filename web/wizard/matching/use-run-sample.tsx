import { ArrowRight } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, buttonClass } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import type { Client } from "../api/client.ts";
import type { Problem } from "../../client/problem.ts";
import { useImport, useRefreshImport } from "../api/queries.ts";
import { useClient } from "../api/use-client.tsx";
import { useGo } from "../app/navigation.tsx";
import { nextScreen } from "../app/next-screen.ts";
import { ScreenLink } from "../app/screen-link.tsx";
import type { MatchingStore } from "./matching-store.ts";
import { useProblemText } from "./use-problem-text.ts";

const startSample = async (client: Client, isReviewed: boolean): Promise<Problem | null> => {
  if (isReviewed) {
    const changed = await client.request("/matching-changed", { method: "POST" });
    if (changed.kind !== "ok") return changed;
  }
  const started = await client.request("/runs", { method: "POST", body: { kind: "sample" } });
  return started.kind === "ok" ? null : started;
};

export const useRunSample = (store: MatchingStore) => {
  const { t } = useTranslation("matching");
  const client = useClient();
  const found = useImport();
  const go = useGo();
  const refresh = useRefreshImport();
  const textOf = useProblemText();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const code = found.status.code;
  const isReviewed = code === "sample_completed";
  /** The matching is corrected: the sample is there already. */
  const isAgain = found.run?.kind === "sample" && found.run.state === "done";
  const run = async () => {
    setBusy(true);
    setProblem(null);
    const failed = (await store.flush()) ? await startSample(client, isReviewed) : null;
    if (failed) setProblem(failed);
    const { state } = { state: store.state() };
    await refresh();
    setBusy(false);
    if (!failed && state.kind === "ready" && state.saving.kind === "saved") go("sample");
  };
  const canRun = isReviewed || code === "waiting_for_sample";
  return {
    isAgain: canRun && isAgain,
    notice: problem && (
      <Notice tone="bad" title={t("sample.failed")} alert className="mt-6">
        <p>{textOf(problem)}</p>
      </Notice>
    ),
    button: canRun ? (
      <Button look="primary" iconAfter={ArrowRight} busy={busy} onClick={() => void run()}>
        {busy ? t("sample.starting") : t(isAgain ? "sample.runAgain" : "sample.run")}
      </Button>
    ) : (
      <ScreenLink to={nextScreen(found)} className={buttonClass({ look: "primary" })}>
        {t("sample.return")}
      </ScreenLink>
    ),
  };
};

import type { WizardImport, WizardProgress } from "@portage/contract/wizard";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { createLive, type Liveness } from "./create-live.ts";
import { answerQuery, importQuery } from "./queries.ts";
import { useClient } from "./use-client.tsx";

const everyMs = 1_000;

/** Whether the import must be loaded again. */
const isNews = (known: WizardImport, next: WizardProgress) =>
  known.status.code !== next.status.code ||
  known.sponsorship !== next.sponsorship ||
  known.paid !== next.paid;

/** The live progress of the import's run, and whether it is up to date. */
export const useLive = (): { readonly progress: WizardProgress | undefined; readonly liveness: Liveness } => {
  const client = useClient();
  const queryClient = useQueryClient();
  const [liveness, setLiveness] = useState<Liveness>({ kind: "connecting" });
  const { data: progress } = useQuery({
    ...answerQuery<WizardProgress>(client, "/progress"),
    staleTime: Infinity,
  });
  useEffect(() => {
    const key = answerQuery<WizardProgress>(client, "/progress").queryKey;
    const refresh = () =>
      void queryClient.invalidateQueries({ queryKey: importQuery(client).queryKey, exact: true });
    const live = createLive({
      openStream: () => new EventSource(client.address("/progress/stream")),
      ask: () => client.request<WizardProgress>("/progress"),
      now: Date.now,
      onLiveness: setLiveness,
      onEnded: refresh,
      onProgress: (next) => {
        queryClient.setQueryData(key, next);
        const known = queryClient.getQueryData(importQuery(client).queryKey);
        if (known && isNews(known, next)) refresh();
      },
    });
    // A suspended page has missed its ticks, so waking up triggers one.
    const wake = () => {
      if (document.visibilityState === "visible") live.tick();
    };
    const timer = setInterval(live.tick, everyMs);
    live.tick();
    document.addEventListener("visibilitychange", wake);
    window.addEventListener("online", live.tick);
    window.addEventListener("offline", live.lost);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", wake);
      window.removeEventListener("online", live.tick);
      window.removeEventListener("offline", live.lost);
      live.stop();
    };
  }, [client, queryClient]);
  return { progress, liveness };
};

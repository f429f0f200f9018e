import type { WizardMapping, WizardPreview, WizardPreviewQuestion } from "@portage/contract/wizard";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { Client } from "../api/client.ts";
import { type Outcome, ProblemError } from "../../client/problem.ts";
import { useClient } from "../api/use-client.tsx";
import type { ReadyMatching } from "./matching-store.ts";

export type Which = Pick<WizardPreviewQuestion, "stream" | "at" | "url">;

const pauseMs = 400;

/** The latest mapping, debounced. */
const useSettled = (mapping: WizardMapping) => {
  const [settled, setSettled] = useState({ mapping, version: 0 });
  useEffect(() => {
    const timer = setTimeout(
      () =>
        setSettled((before) =>
          before.mapping === mapping ? before : { mapping, version: before.version + 1 },
        ),
      pauseMs,
    );
    return () => clearTimeout(timer);
  }, [mapping]);
  return settled;
};

const ask = async (client: Client, body: WizardPreviewQuestion, signal: AbortSignal) => {
  const outcome: Outcome<WizardPreview> = await client.request("/mapping/preview", {
    method: "POST",
    body,
    signal,
  });
  if (outcome.kind === "ok") return outcome.value;
  // An invalid mapping has no preview; fall back to the saved one.
  if (outcome.kind === "invalid" && body.mapping !== undefined && body.url === undefined) {
    const saved: Outcome<WizardPreview> = await client.request("/mapping/preview", {
      method: "POST",
      body: { ...body, mapping: undefined },
      signal,
    });
    if (saved.kind === "ok") return saved.value;
  }
  throw new ProblemError(outcome);
};

/** One of the customer's records, before and after the current mapping. */
export const usePreview = ({ mapping }: ReadyMatching, which: Which | null) => {
  const client = useClient();
  const { mapping: settled, version } = useSettled(mapping);
  return useQuery({
    queryKey: [client.importId, "preview", which, version],
    queryFn: ({ signal }) => ask(client, { ...which, mapping: settled }, signal),
    enabled: which !== null,
    placeholderData: (before) => before,
    retry: false,
    refetchOnWindowFocus: false,
    gcTime: 0,
  });
};

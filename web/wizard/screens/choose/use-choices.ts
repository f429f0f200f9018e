import type {
  SelectionConflict,
  WizardChoices,
  WizardChoiceValues,
  WizardChosenCounts,
  WizardSelection,
} from "@portage/contract/wizard";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { Client } from "../../api/client.ts";
import type { Outcome, Problem } from "../../../client/problem.ts";
import { answerQuery, valueOf } from "../../api/queries.ts";
import { useClient } from "../../api/use-client.tsx";

const everyMs = 1_500;

export type SaveState =
  | { readonly kind: "idle" }
  | { readonly kind: "gathering" }
  | { readonly kind: "saving" }
  | { readonly kind: "conflict"; readonly current: SelectionConflict["current"] }
  | { readonly kind: "failed"; readonly problem: Problem };

/** The available kinds, refreshed while the server counts. */
export const useChoices = () =>
  useQuery({
    ...answerQuery<WizardChoices>(useClient(), "/choices"),
    refetchInterval: ({ state: { data } }) => (data?.counting ? everyMs : false),
    // A concurrent save of another person is reported on saving, not while the customer chooses.
    refetchOnWindowFocus: false,
  });

/** What records can be chosen by, refreshed while the server reads. */
export const useChoiceValues = () =>
  useQuery({
    ...answerQuery<WizardChoiceValues>(useClient(), "/choices/values"),
    refetchInterval: ({ state: { data } }) => (data?.state === "reading" ? everyMs : false),
    refetchOnWindowFocus: false,
  });

const settleMs = 400;

/** How much a selection moves, before it is saved; the answer for the one before is shown meanwhile. */
export const useChosenCounts = (selection: WizardSelection, isCounted: boolean) => {
  const client = useClient();
  const wanted = JSON.stringify(selection);
  const [asked, setAsked] = useState(wanted);
  // Not at every click: a count may ask the old tool.
  useEffect(() => {
    const timer = setTimeout(() => setAsked(wanted), settleMs);
    return () => clearTimeout(timer);
  }, [wanted]);
  const { data, isPlaceholderData } = useQuery({
    queryKey: [client.importId, "/choices/count", asked],
    queryFn: async ({ signal }) =>
      valueOf(
        await client.request<WizardChosenCounts>("/choices/count", {
          method: "POST",
          body: { selection: JSON.parse(asked) as WizardSelection },
          signal,
        }),
      ),
    enabled: isCounted,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data: known } }) => (known?.reading ? everyMs : false),
    refetchOnWindowFocus: false,
  });
  const isOfAnother = asked !== wanted || isPlaceholderData;
  return {
    /** Null: not counted for this selection yet. */
    counts: isOfAnother ? null : (data ?? null),
    /** Of the selection before, while this one is counted: the line stays in place. */
    price: data?.price ?? null,
    isCounting: isCounted && (isOfAnother || data?.reading === true),
  };
};

/** Lets the server read people and fields from both tools, one request at a time until it is done. */
const createGatherer = (client: Client) => {
  let alive = true;
  let going: Promise<Outcome<unknown>> | null = null;
  const gather = async (): Promise<Outcome<unknown>> => {
    for (;;) {
      const outcome = await client.request<{ gathered: boolean }>("/mapping/facts", { method: "POST" });
      if (outcome.kind !== "ok") going = null; // the next attempt requests again
      if (outcome.kind !== "ok" || outcome.value.gathered || !alive) return outcome;
    }
  };
  return {
    begin: () => {
      alive = true;
      going ??= gather();
      return going;
    },
    stop: () => {
      alive = false;
      going = null;
    },
  };
};

/** Saves the selection while the server reads people and fields from both tools. */
export const useSaving = () => {
  const client = useClient();
  const queryClient = useQueryClient();
  const [state, setState] = useState<SaveState>({ kind: "idle" });
  const [gatherer] = useState(() => createGatherer(client));
  useEffect(() => {
    void gatherer.begin();
    return gatherer.stop;
  }, [gatherer]);

  const refuse = (problem: Problem) => {
    setState({ kind: "failed", problem });
    return false;
  };
  // Not busy any more: a customer who goes back before the next screen is loaded sees this one as it was left.
  const finish = () => {
    setState({ kind: "idle" });
    return true;
  };
  /** A null selection: unchanged, so nothing is saved. */
  const save = async (based: number, selection: WizardSelection | null): Promise<boolean> => {
    setState({ kind: "gathering" });
    const gathered = await gatherer.begin();
    if (gathered.kind !== "ok") return refuse(gathered);
    if (selection === null) return finish();
    setState({ kind: "saving" });
    const outcome = await client.request("/selection", { method: "PUT", body: { based, selection } });
    await queryClient.invalidateQueries({ queryKey: [client.importId, "/mapping"] });
    if (outcome.kind === "ok") {
      await queryClient.invalidateQueries({ queryKey: [client.importId, "/choices"] });
      return finish();
    }
    if (outcome.kind !== "refused" || outcome.current === undefined) return refuse(outcome);
    setState({ kind: "conflict", current: outcome.current as SelectionConflict["current"] });
    return false;
  };
  return { state, save, rest: () => setState({ kind: "idle" }) };
};

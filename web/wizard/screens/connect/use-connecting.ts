import type { WizardConnected, WizardSide } from "@portage/contract/wizard";
import { useCallback, useEffect, useRef, useState } from "react";
import type { Outcome } from "../../api/problem.ts";
import { useRefreshImport } from "../../api/queries.ts";
import { useClient } from "../../api/use-client.tsx";
import { type Failure, failureOf } from "./failure.ts";
import { takeReturnedSignIn } from "./returned-sign-in.ts";
import { keepTyped } from "./typed-before.ts";

export type Phase =
  | { readonly kind: "idle" }
  /** The tool is being called. */
  | { readonly kind: "checking" }
  /** The page of the tool is being opened. */
  | { readonly kind: "leaving" }
  /** It has just been connected, and what is there is being counted. */
  | { readonly kind: "connected" }
  | { readonly kind: "failed"; readonly failure: Failure };

type Typed = Readonly<Record<string, unknown>>;

export interface Connecting {
  readonly phase: Phase;
  /** Calls the tool with what was typed. */
  connect(settings: Typed): Promise<void>;
  /** Goes to the tool's own sign-in page. */
  signIn(settings: Typed): Promise<void>;
  /** Back to the form, or on to what was found. */
  rest(): void;
}

/** What was taken out of the address must outlive a page that React draws twice. */
let returned: string | null = null;

/** Connects a side; whoever comes back from the tool's own page is connected at once. */
export const useConnecting = (side: WizardSide): Connecting => {
  const client = useClient();
  const refresh = useRefreshImport();
  const [phase, setPhase] = useState<Phase>(() => {
    returned ??= takeReturnedSignIn(window);
    return { kind: returned === null ? "idle" : "checking" };
  });
  const turn = useRef(0);

  const attempt = useCallback(
    async (ask: () => Promise<Outcome<WizardConnected>>, isReturned: boolean) => {
      turn.current += 1;
      const mine = turn.current;
      const outcome = await ask();
      await refresh();
      if (mine !== turn.current) return;
      const failure = outcome.kind === "ok" ? null : failureOf(outcome, isReturned);
      if (failure) setPhase({ kind: "failed", failure });
      else setPhase({ kind: outcome.kind === "ok" ? "connected" : "idle" });
    },
    [refresh],
  );

  useEffect(() => {
    const query = returned;
    if (query === null) return;
    returned = null;
    // Its state is set once the server has answered, not here.
    // oxlint-disable-next-line react/set-state-in-effect
    void attempt(() => client.request("/sign-ins", { method: "POST", body: { query } }), true);
  }, [attempt, client]);

  const signIn = async (settings: Typed) => {
    setPhase({ kind: "leaving" });
    const outcome = await client.request<{ url: string }>(`/connections/${side}/sign-in`, {
      method: "POST",
      body: { settings },
    });
    if (outcome.kind === "ok") {
      keepTyped(client.importId, side, settings);
      window.location.assign(outcome.value.url);
      return;
    }
    const failure = failureOf(outcome, false);
    setPhase(failure ? { kind: "failed", failure } : { kind: "idle" });
    if (!failure) await refresh();
  };

  return {
    phase,
    connect: (settings) => {
      setPhase({ kind: "checking" });
      return attempt(
        () => client.request(`/connections/${side}`, { method: "PUT", body: { settings } }),
        false,
      );
    },
    signIn,
    rest: () => {
      turn.current += 1;
      setPhase({ kind: "idle" });
    },
  };
};

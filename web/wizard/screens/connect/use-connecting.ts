import type { WizardConnected, WizardSide } from "@portage/contract/wizard";
import { useCallback, useEffect, useRef, useState } from "react";
import type { Outcome } from "../../../client/problem.ts";
import { useRefreshImport } from "../../api/queries.ts";
import { useClient } from "../../api/use-client.tsx";
import { type Failure, failureOf } from "./failure.ts";
import { takeReturnedSignIn } from "./returned-sign-in.ts";
import { keepTyped } from "./typed-before.ts";

export type Phase =
  | { readonly kind: "idle" }
  /** The server calls the tool. */
  | { readonly kind: "checking" }
  /** The tool's sign-in page opens. */
  | { readonly kind: "leaving" }
  /** Just connected; the server counts the records. */
  | { readonly kind: "connected" }
  | { readonly kind: "failed"; readonly failure: Failure };

type Typed = Readonly<Record<string, unknown>>;

export interface Connecting {
  readonly phase: Phase;
  /** Calls the tool with the typed settings. */
  connect(settings: Typed): Promise<void>;
  /** Opens the tool's sign-in page. */
  signIn(settings: Typed): Promise<void>;
  /** Returns to the form, or goes on to the records found. */
  rest(): void;
}

/** Module state, because React's strict mode mounts twice and the address has the result only once. */
let returned: string | null = null;

/** Connects a side; a customer who returns from the tool's sign-in page is connected immediately. */
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
    // The state is set after the server's answer, not synchronously.
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

import type { WizardSide, WizardSideState } from "@portage/contract/wizard";
import { useState } from "react";
import { useImport } from "../../api/queries.ts";
import { useClient } from "../../api/use-client.tsx";
import {
  filledIn,
  type FormValues,
  settingsToAsk,
  type ShownSetting,
  withoutSecrets,
} from "./form-values.ts";
import { typedBefore } from "./typed-before.ts";
import type { Phase } from "./use-connecting.ts";

export interface Form {
  /** The side, with the way to sign in that the customer chose. */
  readonly state: WizardSideState;
  /** Null: there is one way to sign in. */
  readonly signInOtherwise: (() => void) | null;
  readonly asked: readonly ShownSetting[];
  readonly values: FormValues;
  set(name: string, value: unknown): void;
  /** Settings that the partner supplied and the form does not ask for. */
  readonly supplied: readonly string[];
  /** Asks for supplied settings after all. */
  typeOver(names: readonly string[]): void;
}

/** The form state of a side; it survives the call to the tool. */
export const useForm = (side: WizardSide, phase: Phase): Form => {
  const failure = phase.kind === "failed" ? phase.failure : null;
  const { importId } = useClient();
  const found = useImport().sides[side];
  const [otherwise, setOtherwise] = useState(false);
  const state = otherwise && found.alternative ? { ...found, ...found.alternative } : found;
  const [typedOver, setTypedOver] = useState<ReadonlySet<string>>(new Set());
  const [values, setValues] = useState<FormValues>(() => ({
    ...filledIn(state.form),
    ...typedBefore(importId, side),
    ...state.values,
  }));
  const asked = settingsToAsk(state, side, typedOver);
  const [seen, setSeen] = useState(phase);
  if (phase !== seen) {
    setSeen(phase);
    // Drop secrets: an accepted one is stored by the server, a refused one must be pasted again. Keep other values.
    if (phase.kind === "connected" || failure?.refusal?.code === "wrong_key")
      setValues(withoutSecrets(state.form, values));
    // The way that worked is now the first.
    if (phase.kind === "connected") setOtherwise(false);
    const refused = failure?.refusal?.setting ?? null;
    if (refused !== null && refused !== "instanceUrl") setTypedOver(new Set([...typedOver, refused]));
  }
  return {
    state,
    signInOtherwise: found.alternative ? () => setOtherwise(!otherwise) : null,
    asked,
    values,
    supplied: state.supplied.filter((name) => !typedOver.has(name)),
    set: (name, value) => setValues((before) => ({ ...before, [name]: value })),
    typeOver: (names) => setTypedOver(new Set(names)),
  };
};

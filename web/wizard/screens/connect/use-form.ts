import type { WizardSide } from "@portage/contract/wizard";
import { useState } from "react";
import { useImport } from "../../api/queries.ts";
import { useClient } from "../../api/use-client.tsx";
import { type FormValues, settingsToAsk, type ShownSetting, withoutSecrets } from "./form-values.ts";
import { typedBefore } from "./typed-before.ts";
import type { Phase } from "./use-connecting.ts";

export interface Form {
  readonly asked: readonly ShownSetting[];
  readonly values: FormValues;
  set(name: string, value: unknown): void;
  /** What the partner gave, and is not asked for. */
  readonly supplied: readonly string[];
  /** Asks for what the partner gave after all. */
  typeOver(names: readonly string[]): void;
}

/** What is typed for a side; it stays while the tool is called. */
export const useForm = (side: WizardSide, phase: Phase): Form => {
  const failure = phase.kind === "failed" ? phase.failure : null;
  const { importId } = useClient();
  const state = useImport().sides[side];
  const [typedOver, setTypedOver] = useState<ReadonlySet<string>>(new Set());
  const [values, setValues] = useState<FormValues>(() => ({
    ...typedBefore(importId, side),
    ...state.values,
  }));
  const asked = settingsToAsk(state, side, typedOver);
  const [seen, setSeen] = useState(phase);
  if (phase !== seen) {
    setSeen(phase);
    // What was accepted is kept elsewhere, what was refused must be pasted anew; all else is not asked for twice.
    if (phase.kind === "connected" || failure?.refusal?.code === "wrong_key")
      setValues(withoutSecrets(state.form, values));
    const refused = failure?.refusal?.setting ?? null;
    if (refused !== null && refused !== "instanceUrl") setTypedOver(new Set([...typedOver, refused]));
  }
  return {
    asked,
    values,
    supplied: state.supplied.filter((name) => !typedOver.has(name)),
    set: (name, value) => setValues((before) => ({ ...before, [name]: value })),
    typeOver: (names) => setTypedOver(new Set(names)),
  };
};

import type { WaitedFor } from "@portage/contract/operator";
import { Hourglass, KeyRound, Plug, TimerOff } from "lucide-react";
import type { LucideIcon } from "../../ui/icon.tsx";
import type { Tone } from "../../ui/tone.ts";

/** People take their time; workers and tools should not. */
export const stuckLooks: Readonly<Record<WaitedFor, { readonly tone: Tone; readonly icon: LucideIcon }>> = {
  customer: { tone: "warn", icon: KeyRound },
  partner: { tone: "warn", icon: Hourglass },
  workers: { tone: "bad", icon: TimerOff },
  tool: { tone: "bad", icon: Plug },
};

import {
  CircleCheck,
  CircleDashed,
  Clock,
  Contrast,
  Eraser,
  Eye,
  FlaskConical,
  KeyRound,
  Undo2,
} from "lucide-react";
import type { StatusCode } from "@portage/contract";
import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";
import { Icon, type LucideIcon } from "./icon.tsx";
import type { Tone } from "./tone.ts";

interface PillProps {
  readonly tone: Tone;
  readonly icon?: LucideIcon;
  readonly children: ReactNode;
}

/** A state as a badge with a background. */
export const Pill = ({ tone, icon, children }: PillProps) => (
  <span className={classNames("pill", `is-${tone}`, !icon && "plain")}>
    {icon && <Icon of={icon} />}
    {children}
  </span>
);

/** A state inline in text. */
export const StatusWord = ({ tone, icon, children }: PillProps) => (
  <span className={classNames("word", `is-${tone}`)}>
    {icon && <Icon of={icon} />}
    {children}
  </span>
);

/** Tone and icon of each of the nine statuses. */
export const statusLooks: Readonly<Record<StatusCode, { readonly tone: Tone; readonly icon: LucideIcon }>> = {
  collecting_credentials: { tone: "warn", icon: KeyRound },
  waiting_for_sample: { tone: "idle", icon: Clock },
  sample_in_progress: { tone: "info", icon: FlaskConical },
  sample_completed: { tone: "review", icon: Eye },
  in_preparation: { tone: "idle", icon: CircleDashed },
  migration_in_progress: { tone: "info", icon: Contrast },
  migration_completed: { tone: "ok", icon: CircleCheck },
  undo_in_progress: { tone: "undo", icon: Undo2 },
  migration_cleaned: { tone: "idle", icon: Eraser },
};

import { classNames } from "./class-names.ts";
import "./styles/progress.css";
import type { Tone } from "./tone.ts";

interface BarProps {
  /** The accessible name: "Tickets". */
  readonly label: string;
  /** Between 0 and 1; null: the total is unknown. */
  readonly share: number | null;
  /** Text where a percentage says too little: "1,204 of 3,000". */
  readonly text?: string;
  readonly thickness?: "thin" | "thick";
  readonly tone?: Tone;
  /** The run makes progress now. */
  readonly live?: boolean;
}

/** A progress bar. */
export const Bar = ({ label, share, text, thickness, tone, live }: BarProps) => {
  const percent = share === null ? undefined : Math.floor(Math.min(1, Math.max(0, share)) * 100);
  return (
    <div
      className={classNames(
        "bar",
        thickness,
        share === null && "unknown",
        live && "live",
        tone && `is-${tone}`,
      )}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      aria-valuetext={text}
    >
      <i style={{ "--v": `${percent ?? 100}%` }} />
    </div>
  );
};

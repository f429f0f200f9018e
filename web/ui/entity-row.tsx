import { type ReactNode, useId } from "react";
import { classNames } from "./class-names.ts";
import { Icon, type LucideIcon } from "./icon.tsx";
import "./styles/choose.css";
import "./styles/field.css";

interface EntityRowProps {
  readonly icon: LucideIcon;
  readonly name: ReactNode;
  /** "12,430", with a smaller hint below it. */
  readonly count?: ReactNode;
  readonly countHint?: ReactNode;
  readonly text?: ReactNode;
  readonly checked: boolean;
  readonly onChange?: (checked: boolean) => void;
  /** Belongs to the row above. */
  readonly child?: boolean;
  /** Why this kind must move, or can't move at all. The checkbox is then read-only. */
  readonly locked?: { readonly kind: "needed" | "impossible"; readonly reason: ReactNode };
}

/** A kind of record to move. Goes into a `<ul className="ents">`. */
export const EntityRow = ({
  icon,
  name,
  count,
  countHint,
  text,
  checked,
  onChange,
  child = false,
  locked,
}: EntityRowProps) => {
  const id = useId();
  return (
    <li className={classNames(child && "child", locked?.kind === "impossible" && "no")}>
      <label>
        <input
          type="checkbox"
          checked={checked}
          disabled={locked !== undefined}
          aria-describedby={id}
          onChange={(event) => onChange?.(event.target.checked)}
        />
        <Icon of={icon} className="ei" />
        <span className="t">{name}</span>
      </label>
      <span className="c">
        {count}
        {countHint !== undefined && <small>{countHint}</small>}
      </span>
      <span className="d" id={id}>
        {text}
        {locked && <span className={locked.kind === "needed" ? "need" : undefined}>{locked.reason}</span>}
      </span>
    </li>
  );
};

import { type ComponentProps, type ReactNode, useId } from "react";
import "./styles/field.css";

interface CheckboxProps extends Omit<ComponentProps<"input">, "type" | "children"> {
  readonly label: ReactNode;
  /** Below the label: what it means, or why it can't be changed. */
  readonly hint?: ReactNode;
}

/** A checkbox with its label and hint; the whole area is clickable. */
export const Checkbox = ({ label, hint, ...rest }: CheckboxProps) => {
  const id = useId();
  return (
    <label className="choice">
      <input {...rest} type="checkbox" aria-describedby={hint === undefined ? undefined : id} />
      <span>
        {label}
        {hint !== undefined && (
          <span className="hint" id={id}>
            {hint}
          </span>
        )}
      </span>
    </label>
  );
};

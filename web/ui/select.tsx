import type { ComponentProps } from "react";
import { classNames } from "./class-names.ts";
import { useField } from "./field.tsx";
import "./styles/field.css";

interface SelectProps extends ComponentProps<"select"> {
  readonly options: readonly {
    readonly value: string;
    readonly label: string;
    readonly disabled?: boolean;
  }[];
  /** Shown while no option is selected. */
  readonly placeholder?: string;
}

/** A native select for few options: works on phones and with every screen reader. For many: Combobox. */
export const Select = ({ options, placeholder, className, ...rest }: SelectProps) => (
  <select {...useField()} {...rest} className={classNames("select", className)}>
    {placeholder !== undefined && (
      <option value="" disabled hidden>
        {placeholder}
      </option>
    )}
    {options.map(({ value, label, disabled }) => (
      <option key={value} value={value} disabled={disabled}>
        {label}
      </option>
    ))}
  </select>
);

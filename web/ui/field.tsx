import { TriangleAlert } from "lucide-react";
import { createContext, type ReactNode, useContext, useId, useMemo } from "react";
import { Icon } from "./icon.tsx";
import "./styles/field.css";

interface FieldParts {
  readonly id: string;
  readonly describedBy: string | undefined;
  readonly invalid: boolean;
}

const FieldContext = createContext<FieldParts | null>(null);

/** The attributes that a control inside a Field needs; none for a control without one. */
export const useField = () => {
  const field = useContext(FieldContext);
  if (!field) return {};
  const { id, describedBy, invalid } = field;
  return { id, "aria-describedby": describedBy, "aria-invalid": invalid || undefined };
};

interface FieldProps {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  /** The validation error. */
  readonly error?: ReactNode;
  /** The control: Input, Select, Combobox. */
  readonly children: ReactNode;
}

/** A control with its label, hint and error. */
export const Field = ({ label, hint, error, children }: FieldProps) => {
  const id = useId();
  const wrong = error !== undefined && error !== null && error !== false && error !== "";
  const parts = useMemo(() => {
    const described = [hint !== undefined && `${id}-hint`, wrong && `${id}-error`].filter(Boolean).join(" ");
    return { id, describedBy: described === "" ? undefined : described, invalid: wrong };
  }, [id, hint, wrong]);
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <FieldContext value={parts}>{children}</FieldContext>
      {wrong && (
        <p className="err" id={`${id}-error`}>
          <Icon of={TriangleAlert} size="s" />
          <span>{error}</span>
        </p>
      )}
      {hint !== undefined && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
};

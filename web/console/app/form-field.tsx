import { type ComponentProps, createContext, type ReactNode, useContext } from "react";
import type { FieldErrors } from "../../client/problem.ts";
import { Field } from "../../ui/field.tsx";
import { errorAt } from "./field-errors.ts";

const FormErrorsContext = createContext<FieldErrors>({});

/** Passes what the API refused to the fields of a form. */
export const FormErrors = ({ errors, children }: { errors: FieldErrors; children: ReactNode }) => (
  <FormErrorsContext value={errors}>{children}</FormErrorsContext>
);

interface FormFieldProps extends Omit<ComponentProps<typeof Field>, "error"> {
  /** As the API calls it. */
  readonly name: string;
  readonly label: string;
}

/** A field that shows what the API says against it: "must be a color", of which the label is the subject. */
export const FormField = ({ name, label, ...rest }: FormFieldProps) => {
  const error = errorAt(useContext(FormErrorsContext), name);
  return <Field {...rest} label={label} error={error && `${label} ${error}`} />;
};

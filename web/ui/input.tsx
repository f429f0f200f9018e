import type { ComponentProps, ReactNode } from "react";
import { classNames } from "./class-names.ts";
import { useField } from "./field.tsx";

interface InputProps extends ComponentProps<"input"> {
  /** Shown after the field: ".zendesk.com", or a button with the class `after`. */
  readonly after?: ReactNode;
}

/** One line of text. Paste and password managers work; nothing here blocks them. */
export const Input = ({ after, className, ...rest }: InputProps) => {
  const field = useField();
  const input = <input {...field} {...rest} className={classNames("input", className)} />;
  if (after === undefined) return input;
  return (
    <div className="affix">
      {input}
      {typeof after === "string" ? <span className="after">{after}</span> : after}
    </div>
  );
};

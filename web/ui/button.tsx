import { type ComponentProps, type MouseEvent, useId } from "react";
import { classNames } from "./class-names.ts";
import { Icon, type LucideIcon } from "./icon.tsx";
import { Spinner } from "./spinner.tsx";

export interface ButtonLook {
  readonly look?: "primary" | "secondary" | "quiet" | "danger" | "danger-quiet";
  readonly big?: boolean;
  readonly full?: boolean;
}

/** Styles a link as a button. */
export const buttonClass = ({ look = "secondary", big, full }: ButtonLook = {}): string =>
  classNames("btn", look, big && "big", full && "full");

interface ButtonProps extends Omit<ComponentProps<"button">, "disabled">, ButtonLook {
  readonly icon?: LucideIcon;
  readonly iconAfter?: LucideIcon;
  /** Busy: a second press does nothing. The label names the action in progress. */
  readonly busy?: boolean | undefined;
  /** Why the button is disabled, shown beside it. It stays focusable, so that a screen reader reads the reason. */
  readonly disabledReason?: string | null | undefined;
}

export const Button = ({
  look = "secondary",
  big = false,
  full = false,
  icon,
  iconAfter,
  busy,
  disabledReason,
  children,
  className,
  onClick,
  type = "button",
  ...rest
}: ButtonProps) => {
  const reasonId = useId();
  const idle = busy === true || disabledReason != null;
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    if (idle) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <>
      <button
        aria-busy={busy || undefined}
        aria-disabled={idle || undefined}
        aria-describedby={disabledReason == null ? undefined : reasonId}
        {...rest}
        type={type}
        className={classNames(buttonClass({ look, big, full }), className)}
        onClick={press}
      >
        {busy ? <Spinner /> : icon && <Icon of={icon} />}
        {children}
        {iconAfter && !busy && <Icon of={iconAfter} className="flip" />}
      </button>
      {disabledReason != null && (
        <span id={reasonId} className="hint">
          {disabledReason}
        </span>
      )}
    </>
  );
};

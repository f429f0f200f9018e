import { type ReactNode, useId } from "react";
import { classNames } from "./class-names.ts";
import { unbroken } from "./unbroken.tsx";

interface CardProps {
  readonly title: ReactNode;
  /** Beside the title: a pill, a button. */
  readonly aside?: ReactNode;
  readonly footer?: ReactNode;
  /** Draws a full-width line under the title. Without it the title shares the padding of the content. */
  readonly ruled?: boolean;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A section of a page with its own heading. */
export const Card = ({ title, aside, footer, ruled, className, children }: CardProps) => {
  const id = useId();
  if (!ruled)
    return (
      <section className={classNames("card pad", className)} aria-labelledby={id}>
        <h2 id={id}>{unbroken(title)}</h2>
        {children}
      </section>
    );
  return (
    <section className={classNames("card", className)} aria-labelledby={id}>
      <header>
        <h2 id={id}>{unbroken(title)}</h2>
        {aside}
      </header>
      {children}
      {footer !== undefined && <footer>{footer}</footer>}
    </section>
  );
};

import { type ReactNode, useId } from "react";

interface SectionProps {
  readonly title: ReactNode;
  readonly aside?: ReactNode;
  readonly footer?: ReactNode;
  readonly children: ReactNode;
}

/** A part of a screen with its heading; a table in it scrolls by itself where it is too wide. */
export const Section = ({ title, aside, footer, children }: SectionProps) => {
  const id = useId();
  return (
    <section className="card" aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {aside}
      </header>
      {children}
      {footer !== undefined && <footer>{footer}</footer>}
    </section>
  );
};

/** A table that may be wider than a phone. */
export const WideTable = ({ label, children }: { label: string; children: ReactNode }) => (
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable region must be focusable by keyboard
  <div className="scroll-x" tabIndex={0} role="region" aria-label={label}>
    {children}
  </div>
);

import { type ReactNode, useState } from "react";
import { classNames } from "./class-names.ts";
import { Icon, type LucideIcon } from "./icon.tsx";
import { useUiStrings } from "./locale.tsx";
import "./styles/fold.css";

interface FoldProps {
  readonly icon: LucideIcon;
  readonly iconClassName?: string;
  readonly title: ReactNode;
  readonly hint?: ReactNode;
  /** Open from the beginning. */
  readonly open?: boolean;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A card that shows only its title until it is opened; its content is loaded then. */
export const Fold = ({ icon, iconClassName, title, hint, open = false, className, children }: FoldProps) => {
  const words = useUiStrings();
  const [isOpen, setOpen] = useState(open);
  return (
    <details
      className={classNames("card fold", className)}
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>
        <Icon of={icon} className={iconClassName} />
        <span>
          <b>{title}</b>
          {hint !== undefined && <span className="hint block">{hint}</span>}
        </span>
        <span className="t14 font-medium text-brand">{isOpen ? words.close : words.show}</span>
      </summary>
      {isOpen && children}
    </details>
  );
};

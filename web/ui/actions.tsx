import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";

interface ActionsProps {
  /** Sticks to the bottom of long pages. On a phone it always does. */
  readonly dock?: boolean;
  /** False: not sticky on a phone either. */
  readonly fixed?: boolean;
  /** Shown at the opposite end on wide pages, such as the number of open items. */
  readonly aside?: ReactNode;
  /** Shown in every size, such as whether everything is saved. */
  readonly status?: ReactNode;
  readonly children: ReactNode;
}

/** The buttons of a page: one primary button first. */
export const Actions = ({ dock, fixed = true, aside, status, children }: ActionsProps) => (
  <div className={classNames("actions", dock && "dock", !fixed && "static")}>
    {children}
    {(status !== undefined || aside !== undefined) && (
      <span className={classNames("push hint", status === undefined && "desk")}>
        {status}
        {aside !== undefined && <span className="desk"> {aside}</span>}
      </span>
    )}
  </div>
);

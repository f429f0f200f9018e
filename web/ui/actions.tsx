import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";

interface ActionsProps {
  /** Stays in sight on long pages. On a phone it always does. */
  readonly dock?: boolean;
  /** False: in its place on a phone too. */
  readonly fixed?: boolean;
  /** At the other end, on wide pages: what is still open. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

/** What can be done here: one primary button first. */
export const Actions = ({ dock, fixed = true, aside, children }: ActionsProps) => (
  <div className={classNames("actions", dock && "dock", !fixed && "static")}>
    {children}
    {aside !== undefined && <span className="push hint desk">{aside}</span>}
  </div>
);

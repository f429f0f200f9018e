import type { ReactNode } from "react";
import "./styles/match.css";
import { Tile } from "./tile.tsx";

export interface DuoSide {
  readonly tool: string;
  readonly caption: ReactNode;
  readonly subject?: ReactNode;
  readonly fields: readonly {
    readonly name: string;
    readonly value: ReactNode;
    readonly changed?: boolean;
    /** Why the values differ. */
    readonly reason?: { readonly text: ReactNode; readonly isLost: boolean } | undefined;
    /** Two fields may have the same name. */
    readonly key?: string;
  }[];
  readonly children?: ReactNode;
}

const Half = ({ side, brand }: { side: DuoSide; brand: boolean }) => (
  <div>
    <div className="cap">
      <Tile name={side.tool} size="s" brand={brand} />
      <span>{side.caption}</span>
    </div>
    {side.subject !== undefined && <p className="subj">{side.subject}</p>}
    <dl>
      {side.fields.map(({ key, name, value, changed, reason }) => (
        <div key={key ?? name}>
          <dt>{name}</dt>
          <dd>
            {changed ? <mark>{value}</mark> : value}
            {reason && <span className={reason.isLost ? "why lost" : "why"}>{reason.text}</span>}
          </dd>
        </div>
      ))}
    </dl>
    {side.children}
  </div>
);

/** The same record before and after the move. */
export const BeforeAfter = ({ before, after }: { before: DuoSide; after: DuoSide }) => (
  <div className="duo">
    <Half side={before} brand={false} />
    <Half side={after} brand />
  </div>
);

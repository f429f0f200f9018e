import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";
import "./styles/zeros.css";
import { useFormats } from "./use-formats.ts";

interface ZeroOf {
  readonly key: string;
  /** "emails sent to your customers" */
  readonly label: ReactNode;
  /** A list of the cases above zero. */
  readonly href?: string;
}

export type Zero =
  | (ZeroOf & { readonly count: number })
  /** Not measurable, so a word replaces the number: "held back". */
  | (ZeroOf & { readonly count: null; readonly word: string });

/** Counters that should stay at zero. */
export const CounterStrip = ({ zeros, label }: { zeros: readonly Zero[]; label: string }) => {
  const formats = useFormats();
  return (
    <ul className="zeros" aria-label={label}>
      {zeros.map((zero) => {
        const isAbove = zero.count !== null && zero.count > 0;
        return (
          <li key={zero.key} className={classNames(isAbove && "is-warn above")}>
            {zero.count === null ? <b className="held">{zero.word}</b> : <b>{formats.count(zero.count)}</b>}
            {isAbove && zero.href !== undefined ? (
              <a href={zero.href}>{zero.label}</a>
            ) : (
              <span>{zero.label}</span>
            )}
          </li>
        );
      })}
    </ul>
  );
};

import { Circle, CircleCheck, CircleX, Hourglass, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { Icon } from "./icon.tsx";
import { Spinner } from "./spinner.tsx";
import "./styles/checks.css";
import { useUiStrings, type UiStrings } from "./locale.tsx";

export type CheckState = "done" | "working" | "waiting" | "note" | "failed" | "todo";

export interface Check {
  readonly key: string;
  readonly state: CheckState;
  readonly title: ReactNode;
  readonly text?: ReactNode;
  /** At the end of the line: a number, a time, a link. */
  readonly aside?: ReactNode;
}

const looks: Readonly<
  Record<
    CheckState,
    { readonly className: string; readonly picture: ReactNode; readonly word: keyof UiStrings }
  >
> = {
  done: { className: "is-ok", picture: <Icon of={CircleCheck} />, word: "done" },
  working: { className: "is-brand", picture: <Spinner />, word: "working" },
  waiting: { className: "is-warn", picture: <Icon of={Hourglass} />, word: "waiting" },
  note: { className: "is-warn", picture: <Icon of={TriangleAlert} />, word: "note" },
  failed: { className: "is-bad", picture: <Icon of={CircleX} />, word: "failed" },
  todo: { className: "todo", picture: <Icon of={Circle} />, word: "notStarted" },
};

/** A list of steps in order, each with its state. */
export const Checks = ({ checks, label }: { checks: readonly Check[]; label: string }) => {
  const words = useUiStrings();
  return (
    <ul className="checks" aria-label={label}>
      {checks.map(({ key, state, title, text, aside }) => {
        const { className, picture, word } = looks[state];
        return (
          <li key={key} className={className}>
            {picture}
            <span className={state === "todo" ? undefined : "font-medium"}>
              {title}
              <span className="vh">{` (${words[word]})`}</span>
            </span>
            <span className="aux">{aside}</span>
            {text !== undefined && <small>{text}</small>}
          </li>
        );
      })}
    </ul>
  );
};

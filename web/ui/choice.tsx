import { Fragment, type ReactNode, useId } from "react";
import { classNames } from "./class-names.ts";
import "./styles/choose.css";
import "./styles/field.css";

export interface ChoiceOption<V extends string> {
  readonly value: V;
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  readonly disabled?: boolean;
  /** Belongs to this option, such as a further field: shown right below it. */
  readonly below?: ReactNode;
}

interface ChoiceProps<V extends string> {
  readonly legend: ReactNode;
  /** Hide the legend where another element already asks the question. */
  readonly hideLegend?: boolean;
  readonly options: readonly ChoiceOption<V>[];
  readonly value: V | null;
  readonly onChange: (chosen: V) => void;
}

const Options = <V extends string>({
  options,
  value,
  onChange,
  plain,
}: ChoiceProps<V> & { plain: boolean }) => {
  const name = useId();
  return options.map((option) => (
    <Fragment key={option.value}>
      <label className={classNames(plain && "choice")}>
        <input
          type="radio"
          name={name}
          checked={option.value === value}
          disabled={option.disabled}
          onChange={() => onChange(option.value)}
        />
        <span>
          {option.label}
          {option.hint !== undefined &&
            (plain ? <span className="hint">{option.hint}</span> : <small>{option.hint}</small>)}
        </span>
      </label>
      {option.below}
    </Fragment>
  ));
};

/** Radio buttons, one per line. */
export const Choice = <V extends string>(props: ChoiceProps<V>) => (
  <fieldset>
    <legend className={props.hideLegend ? "vh" : "font-semibold"}>{props.legend}</legend>
    <Options {...props} plain />
  </fieldset>
);

/** Two or three radio buttons side by side. */
export const Segmented = <V extends string>(props: ChoiceProps<V>) => (
  <fieldset>
    <legend className={props.hideLegend ? "vh" : "mb-2 font-semibold"}>{props.legend}</legend>
    <div className="seg">
      <Options {...props} plain={false} />
    </div>
  </fieldset>
);

import { Check } from "lucide-react";
import { useTranslation } from "react-i18next";
import { classNames } from "../../ui/class-names.ts";
import { Icon } from "../../ui/icon.tsx";
import { ScreenLink } from "./screen-link.tsx";
import { screenOfStep, type StepName, stepNames } from "./screen-names.ts";

interface StepsProps {
  readonly current: StepName;
}

interface HeaderStepsProps extends StepsProps {
  /** The move is done: all steps are completed. */
  readonly finished: boolean;
  /** Whether the customer can go back to a step now. */
  readonly opens: (step: StepName) => boolean;
}

/** The four steps with the current one marked; on wide pages. Those that are done lead back, as long as they can. */
export const HeaderSteps = ({ current, finished, opens }: HeaderStepsProps) => {
  const { t } = useTranslation("shell");
  const at = stepNames.indexOf(current);
  return (
    <ol className="steps" aria-label={t("steps.label")}>
      {stepNames.map((step, index) => {
        const done = finished || index < at;
        const shown = (
          <>
            <span className="n" aria-hidden="true">
              {done ? <Icon of={Check} /> : index + 1}
            </span>
            {t(`steps.${step}`)}
            {done && <span className="vh">{` (${t("steps.done")})`}</span>}
          </>
        );
        return (
          <li
            key={step}
            className={classNames(done && "done")}
            aria-current={!done && index === at ? "step" : undefined}
          >
            {done && opens(step) ? <ScreenLink to={screenOfStep[step]}>{shown}</ScreenLink> : shown}
          </li>
        );
      })}
    </ol>
  );
};

/** The same on a phone: one line of text and four marks. */
export const MiniSteps = ({ current }: StepsProps) => {
  const { t } = useTranslation("shell");
  const at = stepNames.indexOf(current);
  return (
    <section className="mini" aria-label={t("steps.label")}>
      <span className="dim">{t("steps.position", { number: at + 1, total: stepNames.length })}</span>
      {" · "}
      <b>{t(`steps.${current}`)}</b>
      <ol aria-hidden="true">
        {stepNames.map((step, index) => (
          <li key={step} className={classNames(index <= at && "on")} />
        ))}
      </ol>
    </section>
  );
};

import { Check } from "lucide-react";
import { useTranslation } from "react-i18next";
import { classNames } from "../../ui/class-names.ts";
import { Icon } from "../../ui/icon.tsx";
import { type StepName, stepNames } from "./screen-names.ts";

interface StepsProps {
  readonly current: StepName;
  /** The move is done: all steps are completed. */
  readonly finished?: boolean;
}

/** The four steps with the current one marked; on wide pages. */
export const HeaderSteps = ({ current, finished = false }: StepsProps) => {
  const { t } = useTranslation("shell");
  const at = stepNames.indexOf(current);
  return (
    <ol className="steps" aria-label={t("steps.label")}>
      {stepNames.map((step, index) => {
        const done = finished || index < at;
        return (
          <li
            key={step}
            className={classNames(done && "done")}
            aria-current={!done && index === at ? "step" : undefined}
          >
            <span className="n" aria-hidden="true">
              {done ? <Icon of={Check} /> : index + 1}
            </span>
            {t(`steps.${step}`)}
            {done && <span className="vh">{` (${t("steps.done")})`}</span>}
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

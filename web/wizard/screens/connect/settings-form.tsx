import type { WizardSide } from "@portage/contract/wizard";
import { CircleCheck, ExternalLink } from "lucide-react";
import { type FormEvent, type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { useFormats } from "../../../ui/use-formats.ts";
import { useImport } from "../../api/queries.ts";
import { blankIn, isFolded, type ShownSetting, typedValues } from "./form-values.ts";
import { SettingField } from "./setting-field.tsx";
import type { Connecting } from "./use-connecting.ts";
import type { Form } from "./use-form.ts";

interface SettingsFormProps {
  readonly side: WizardSide;
  readonly connecting: Connecting;
  readonly form: Form;
  readonly submit: string;
  /** Below the button. */
  readonly under?: ReactNode;
}

const Supplied = ({ form }: Pick<SettingsFormProps, "form">) => {
  const { t } = useTranslation("connect");
  const formats = useFormats();
  const { partner } = useImport();
  const { properties } = form.state.form;
  const replaceable = form.supplied.filter((name) => name !== "instanceUrl");
  if (form.supplied.length === 0) return null;
  const names = formats.list(form.supplied.map((name) => properties[name]?.title ?? name));
  return (
    <p className="row t14 muted">
      <Icon of={CircleCheck} className="ok" />
      <span>
        {t("form.supplied", { partner: partner.name, names })}{" "}
        {replaceable.length > 0 && form.state.signIn === "secret" && (
          <button type="button" className="link" onClick={() => form.typeOver(replaceable)}>
            {t("form.typeOver")}
          </button>
        )}
      </span>
    </p>
  );
};

/** All settings of a tool, rendered from the connector's description. */
export const SettingsForm = ({ side, connecting, form, submit, under }: SettingsFormProps) => {
  const { t } = useTranslation("connect");
  const { retention } = useImport();
  const { state } = form;
  const [blank, setBlank] = useState<readonly string[]>([]);
  const { asked, values } = form;
  const { phase } = connecting;
  const errors = phase.kind === "failed" ? phase.failure.errors : {};
  const signsIn = state.signIn === "oauth2";
  const isLeaving = phase.kind === "leaving";

  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isLeaving) return;
    const missing = blankIn(asked, values);
    setBlank(missing);
    const [first] = missing;
    if (first !== undefined) {
      event.currentTarget.querySelector<HTMLElement>(`[name="${CSS.escape(first)}"]`)?.focus();
      return;
    }
    const typed = typedValues(asked, values);
    void (signsIn ? connecting.signIn(typed) : connecting.connect(typed));
  };
  const errorOf = ({ name, setting }: ShownSetting) => {
    if (blank.includes(name)) return t("form.required");
    const message = errors[name]?.[0];
    return message === undefined ? undefined : `${setting.title ?? name} ${message}.`;
  };
  const field = (each: ShownSetting) => (
    <SettingField
      key={each.name}
      name={each.name}
      setting={each.setting}
      value={values[each.name]}
      keptDays={retention.days[side]}
      error={errorOf(each)}
      onChange={(value) => {
        form.set(each.name, value);
        setBlank((before) => before.filter((name) => name !== each.name));
      }}
    />
  );
  const extra = asked.filter(isFolded);
  return (
    <form className="stack-6" onSubmit={send} noValidate>
      <Supplied form={form} />
      {asked.filter((each) => !isFolded(each)).map(field)}
      {extra.length > 0 && (
        <details className="more" open={extra.some(({ name }) => errors[name]) || undefined}>
          <summary>{t("form.more")}</summary>
          <div className="stack-6 mt-4">{extra.map(field)}</div>
        </details>
      )}
      <div>
        <Button
          type="submit"
          look="primary"
          big
          full
          busy={isLeaving}
          {...(signsIn && { iconAfter: ExternalLink })}
        >
          {isLeaving ? t("form.leaving", { tool: state.label }) : submit}
        </Button>
        {under}
      </div>
    </form>
  );
};

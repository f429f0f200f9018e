import type { WizardSetting } from "@portage/contract/wizard";
import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Checkbox } from "../../../ui/checkbox.tsx";
import { Field } from "../../../ui/field.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { Input } from "../../../ui/input.tsx";
import { SecretInput } from "../../../ui/secret-input.tsx";
import { Select } from "../../../ui/select.tsx";
import "../../../ui/styles/connect.css";
import "../../../ui/styles/disclosure.css";
import { ServerText } from "../../app/server-text.tsx";
import { MarkedText } from "./marked-text.tsx";

interface SettingFieldProps {
  readonly name: string;
  readonly setting: WizardSetting;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  readonly error: ReactNode;
  /** How many days we keep a secret after the move. */
  readonly keptDays: number;
}

const textOf = (value: unknown) =>
  typeof value === "string" || typeof value === "number" ? String(value) : "";

const Where = ({ where, notThere }: Pick<WizardSetting, "where" | "notThere">) => {
  const { t } = useTranslation("connect");
  if (!where) return null;
  return (
    <details className="more">
      <summary>
        <Icon of={ChevronRight} size="s" className="chev flip" />
        {t("form.where")}
      </summary>
      <div className="where">
        <ol>
          {where.map((step) => (
            <li key={step}>
              <span lang="en">
                <MarkedText text={step} />
              </span>
            </li>
          ))}
        </ol>
        {notThere !== undefined && (
          <p className="mt-4 muted" lang="en">
            <MarkedText text={notThere} />
          </p>
        )}
      </div>
    </details>
  );
};

const isAddress = ({ format }: WizardSetting) => format === "uri";

/** Adds the https:// that customers leave out. */
const completed = (typed: string) => {
  const text = typed.trim();
  return text === "" || /^[a-z][a-z0-9+.-]*:/i.test(text) ? text : `https://${text}`;
};

const Control = ({ name, setting, value, onChange }: Omit<SettingFieldProps, "error" | "keptDays">) => {
  const common = { name, value: textOf(value) };
  if (Array.isArray(setting.enum))
    return (
      <Select
        {...common}
        value={textOf(value ?? setting.default)}
        options={setting.enum.map((each) => ({
          value: String(each),
          label: setting.options?.[String(each)] ?? String(each),
        }))}
        onChange={(event) => onChange(event.target.value)}
      />
    );
  if (setting.writeOnly)
    return <SecretInput {...common} autoComplete="off" onChange={(event) => onChange(event.target.value)} />;
  if (setting.type === "number" || setting.type === "integer")
    return (
      <Input
        {...common}
        type="text"
        inputMode="decimal"
        autoComplete="off"
        onChange={(event) => onChange(event.target.value === "" ? "" : Number(event.target.value))}
      />
    );
  return (
    <Input
      {...common}
      type="text"
      inputMode={isAddress(setting) ? "url" : "text"}
      autoComplete={isAddress(setting) ? "url" : name === "username" ? "username" : "off"}
      spellCheck={false}
      autoCapitalize="none"
      onChange={(event) => onChange(event.target.value)}
      onBlur={isAddress(setting) ? (event) => onChange(completed(event.target.value)) : undefined}
    />
  );
};

/** One setting, rendered from the connector's description. */
export const SettingField = ({ name, setting, value, onChange, error, keptDays }: SettingFieldProps) => {
  const { t } = useTranslation("connect");
  const title = setting.title ?? name;
  // The steps make the description redundant.
  const description = setting.where ? undefined : setting.description;
  if (setting.type === "boolean")
    return (
      <Checkbox
        name={name}
        label={<ServerText>{title}</ServerText>}
        {...(description !== undefined && { hint: <ServerText>{description}</ServerText> })}
        checked={(value ?? setting.default) === true}
        onChange={(event) => onChange(event.target.checked)}
      />
    );
  const ours = setting.writeOnly
    ? t("form.secretKept", { count: keptDays })
    : description === undefined && isAddress(setting)
      ? t("form.urlHint")
      : undefined;
  const hint = (description !== undefined || ours !== undefined) && (
    <>
      {description !== undefined && <ServerText>{description}</ServerText>} {ours}
    </>
  );
  return (
    <div>
      <Field label={<ServerText>{title}</ServerText>} error={error} {...(hint !== false && { hint })}>
        <Control name={name} setting={setting} value={value} onChange={onChange} />
      </Field>
      <Where
        {...(setting.where && { where: setting.where })}
        {...(setting.notThere && { notThere: setting.notThere })}
      />
    </div>
  );
};

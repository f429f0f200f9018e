import type { WizardSetting, WizardSide, WizardSideState } from "@portage/contract/wizard";

export type FormValues = Readonly<Record<string, unknown>>;

export interface ShownSetting {
  readonly name: string;
  readonly setting: WizardSetting;
  readonly required: boolean;
}

/** The settings that the form asks for: none of the other side, and none that the partner supplied. */
export const settingsToAsk = (
  state: WizardSideState,
  side: WizardSide,
  typedOver: ReadonlySet<string>,
): readonly ShownSetting[] =>
  Object.entries(state.form.properties)
    .filter(
      ([name, { role }]) =>
        (role ?? side) === side && (!state.supplied.includes(name) || typedOver.has(name)),
    )
    .map(([name, setting]) => ({ name, setting, required: state.form.required.includes(name) }));

/** Values that the connector suggests for settings that must be there. Others have their default at the server. */
export const filledIn = ({ properties, required }: WizardSideState["form"]): FormValues =>
  Object.fromEntries(
    required.flatMap((name) => {
      const suggested = properties[name]?.default;
      return suggested === undefined ? [] : [[name, suggested] as const];
    }),
  );

/** What the form shows at once; the rest is under "More settings". */
export const isFolded = ({ required, setting }: ShownSetting): boolean =>
  !required && setting.important !== true;

const isBlank = (value: unknown) => value === undefined || value === null || value === "";

/** The values to send: the filled fields of the form. */
export const typedValues = (asked: readonly ShownSetting[], values: FormValues): FormValues =>
  Object.fromEntries(
    asked.map(({ name }) => [name, values[name]] as const).filter(([, value]) => !isBlank(value)),
  );

/** The required settings that are blank. */
export const blankIn = (asked: readonly ShownSetting[], values: FormValues): readonly string[] =>
  asked.filter(({ name, required }) => required && isBlank(values[name])).map(({ name }) => name);

/** Drops secrets, which must never stay in the browser. */
export const withoutSecrets = (form: WizardSideState["form"], values: FormValues): FormValues =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !form.properties[name]?.writeOnly));

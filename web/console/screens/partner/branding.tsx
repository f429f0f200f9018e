import type { OperatorBrandingPreview, OperatorPartner } from "@portage/contract/operator";
import { CircleCheck } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../ui/button.tsx";
import { useField } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { StatusWord } from "../../../ui/pill.tsx";
import { ActionDialog } from "../../app/action-dialog.tsx";
import { FormField } from "../../app/form-field.tsx";
import type { ActionResult } from "../../app/result-notice.tsx";
import { useRights } from "../../app/use-rights.ts";
import { Section } from "../../app/section.tsx";
import { useAnswer } from "../../api/queries.ts";
import { changedFields } from "./changed-fields.ts";

const own = "#0b6580";
const isColor = (text: string) => /^#[0-9a-f]{6}$/i.test(text);

/** What customers see of a color, and how readable it is. */
const Preview = ({ color, name }: { color: string; name: string }) => {
  const { t } = useTranslation("partner");
  const { data } = useAnswer<OperatorBrandingPreview>(
    `/branding-preview?color=${encodeURIComponent(color.toLowerCase())}`,
    { enabled: isColor(color) },
  );
  if (!data) return null;
  return (
    <div className="stack-3">
      <div className="brandprev">
        {(["light", "dark"] as const).map((scheme) => (
          <div
            key={scheme}
            className={scheme === "light" ? "bp lt" : "bp dk"}
            role="img"
            aria-label={t(`branding.preview.${scheme}`)}
            style={{ "--bp-brand": data[scheme].brand, "--bp-on-brand": data[scheme].on_brand }}
          >
            <div className="t">{name}</div>
            <div className="b">
              <span>{t("branding.preview.button")}</span>
            </div>
          </div>
        ))}
      </div>
      <ul className="stack-2">
        {(["light", "dark"] as const).map((scheme) => (
          <li key={scheme}>
            <StatusWord tone="ok" icon={CircleCheck}>
              {t(data.moved.includes(scheme) ? "branding.preview.moved" : "branding.preview.readable", {
                scheme: t(`branding.preview.${scheme}Name`),
                ratio: data[scheme].contrast.toFixed(1),
              })}
            </StatusWord>
          </li>
        ))}
      </ul>
    </div>
  );
};

const Lines = ({ value, onChange }: { value: string; onChange: (text: string) => void }) => (
  <textarea
    {...useField()}
    className="input mono"
    rows={2}
    value={value}
    onChange={(event) => onChange(event.target.value)}
  />
);

const plainNames = ["help_url", "help_email", "privacy_url", "return_url"] as const;

interface BrandingProps {
  readonly of: OperatorPartner;
  readonly onResult: (result: ActionResult) => void;
}

const AskBranding = ({ of, onResult, onClose }: BrandingProps & { readonly onClose: () => void }) => {
  const { t } = useTranslation("partner");
  // What is read again while the person types must not count as theirs.
  const [branding] = useState(of.branding);
  const [color, setColor] = useState(branding.color ?? "");
  const [plain, setPlain] = useState<Readonly<Record<(typeof plainNames)[number], string>>>({
    help_url: branding.help_url ?? "",
    help_email: branding.help_email ?? "",
    privacy_url: branding.privacy_url ?? "",
    return_url: branding.return_url ?? "",
  });
  const [origins, setOrigins] = useState(branding.embed_origins.join("\n"));
  const given = (text: string) => (text.trim() === "" ? null : text.trim());
  const wanted: OperatorPartner["branding"] = {
    color: given(color),
    help_url: given(plain.help_url),
    help_email: given(plain.help_email),
    privacy_url: given(plain.privacy_url),
    return_url: given(plain.return_url),
    embed_origins: origins
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== ""),
  };
  return (
    <ActionDialog
      title={t("branding.ask.title")}
      text={t("branding.ask.text")}
      confirm={t("branding.ask.confirm")}
      path={`/partners/${of.id}/branding`}
      method="PUT"
      body={changedFields(branding, wanted)}
      fields={["color", ...plainNames, "embed_origins"]}
      onClose={onClose}
      onDone={() => {
        onClose();
        onResult({ text: t("branding.ask.done"), copy: null });
      }}
    >
      <FormField name="color" label={t("branding.color")} hint={t("branding.colorHint")}>
        <Input className="mono" value={color} onChange={(event) => setColor(event.target.value)} />
      </FormField>
      <Preview color={color.trim() === "" ? own : color.trim()} name={of.name} />
      {plainNames.map((name) => (
        <FormField key={name} name={name} label={t(`branding.${name}`)}>
          <Input
            value={plain[name]}
            onChange={(event) => setPlain({ ...plain, [name]: event.target.value })}
          />
        </FormField>
      ))}
      <FormField name="embed_origins" label={t("branding.embed_origins")} hint={t("branding.embedHint")}>
        <Lines value={origins} onChange={setOrigins} />
      </FormField>
    </ActionDialog>
  );
};

/** What customers of this partner see. */
export const Branding = ({ of, onResult }: BrandingProps) => {
  const { t } = useTranslation("partner");
  const { setsPartner } = useRights();
  const [isAsked, setAsked] = useState(false);
  const { branding } = of;
  return (
    <Section
      title={t("branding.title")}
      aside={
        setsPartner && (
          <Button className="sm" onClick={() => setAsked(true)}>
            {t("branding.change")}
          </Button>
        )
      }
    >
      <div className="pad stack-4">
        <Preview color={branding.color ?? own} name={of.name} />
        <dl className="facts">
          <dt>{t("branding.color")}</dt>
          <dd className="mono">{branding.color ?? t("branding.none")}</dd>
          {plainNames.map((name) => (
            <FactRow key={name} name={t(`branding.${name}`)} value={branding[name]} />
          ))}
          <FactRow name={t("branding.embed_origins")} value={branding.embed_origins.join(", ") || null} />
        </dl>
      </div>
      {isAsked && <AskBranding of={of} onResult={onResult} onClose={() => setAsked(false)} />}
    </Section>
  );
};

const FactRow = ({ name, value }: { name: string; value: string | null }) => {
  const { t } = useTranslation("partner");
  return (
    <>
      <dt>{name}</dt>
      <dd>{value ?? t("branding.none")}</dd>
    </>
  );
};

import type { OperatorWebhook, OperatorWebhookWithSecret } from "@portage/contract/operator";
import { CircleCheck, CircleX, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../ui/button.tsx";
import { Input } from "../../../ui/input.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { StatusWord } from "../../../ui/pill.tsx";
import { useFormats } from "../../../ui/use-formats.ts";
import { useWords } from "../../i18n/use-words.ts";
import { ActionDialog } from "../../app/action-dialog.tsx";
import { FormField } from "../../app/form-field.tsx";
import { ProblemNotice, problemIn } from "../../app/problem-notice.tsx";
import type { ActionResult } from "../../app/result-notice.tsx";
import { useRights } from "../../app/use-rights.ts";
import { Section } from "../../app/section.tsx";
import { useAnswer } from "../../api/queries.ts";

type Action = "test" | "rotate" | "enable" | "disable" | "set";

const Health = ({ of }: { of: OperatorWebhook }) => {
  const { t } = useTranslation("partner");
  const formats = useFormats();
  if (of.disabled_at !== null)
    return (
      <StatusWord tone="bad" icon={CircleX}>
        {t("webhook.disabled", { when: formats.dateTime(of.disabled_at) })}
      </StatusWord>
    );
  if (of.failing_since !== null)
    return (
      <StatusWord tone="warn" icon={TriangleAlert}>
        {t("webhook.failing", { when: formats.dateTime(of.failing_since) })}
      </StatusWord>
    );
  return (
    <StatusWord tone="ok" icon={CircleCheck}>
      {t("webhook.answers")}
    </StatusWord>
  );
};

const Settings = ({ of }: { of: OperatorWebhook }) => {
  const { t } = useTranslation("partner");
  const formats = useFormats();
  const why = useWords("disabled");
  return (
    <div className="stack-3">
      <span className="code">{of.url}</span>
      <dl className="facts">
        <dt>{t("webhook.events")}</dt>
        <dd>{of.events === null ? t("webhook.allEvents") : formats.list(of.events)}</dd>
        <dt>{t("webhook.ordered")}</dt>
        <dd>{of.ordered ? t("webhook.inOrder") : t("webhook.anyOrder")}</dd>
        <dt>{t("webhook.open")}</dt>
        <dd className="num">{formats.count(of.waiting)}</dd>
        <dt>{t("webhook.held")}</dt>
        <dd className="num">{formats.count(of.held)}</dd>
      </dl>
      {of.disabled_because !== null && (
        <Notice tone="bad">
          <p>{why(of.disabled_because)}</p>
        </Notice>
      )}
      {of.warning !== null && (
        <Notice tone="warn">
          <p>{of.warning}</p>
        </Notice>
      )}
      {of.old_secret_until !== null && (
        <p className="hint">{t("webhook.oldSecret", { when: formats.dateTime(of.old_secret_until) })}</p>
      )}
    </div>
  );
};

interface AskWebhookProps {
  readonly partnerId: string;
  readonly action: Action;
  readonly url: string;
  readonly onClose: () => void;
  readonly onResult: (result: ActionResult) => void;
}

const AskWebhook = ({ partnerId, action, url: before, onClose, onResult }: AskWebhookProps) => {
  const { t } = useTranslation("partner");
  const [url, setUrl] = useState(before);
  const base = `/partners/${partnerId}/webhook`;
  return (
    <ActionDialog
      title={t(`webhook.ask.${action}.title`)}
      text={t(`webhook.ask.${action}.text`)}
      confirm={t(`webhook.ask.${action}.confirm`)}
      danger={action === "disable"}
      path={action === "set" ? base : `${base}/${action}`}
      method={action === "set" ? "PUT" : "POST"}
      body={action === "set" ? { url: url.trim() } : {}}
      fields={["url"]}
      onClose={onClose}
      onDone={(answer) => {
        onClose();
        const { secret } = answer as Partial<OperatorWebhookWithSecret>;
        onResult({ text: t(`webhook.ask.${action}.done`), copy: secret ?? null });
      }}
    >
      {action === "set" && (
        <FormField name="url" label={t("webhook.url")} hint={t("webhook.urlHint")}>
          <Input type="url" className="mono" value={url} onChange={(event) => setUrl(event.target.value)} />
        </FormField>
      )}
    </ActionDialog>
  );
};

interface WebhookProps {
  readonly partnerId: string;
  readonly onResult: (result: ActionResult) => void;
}

/** The partner's endpoint: its health, and what can be done to it. */
export const Webhook = ({ partnerId, onResult }: WebhookProps) => {
  const { t } = useTranslation("partner");
  const { operatesWebhooks, disablesWebhooks, setsPartner } = useRights();
  const [action, setAction] = useState<Action | null>(null);
  const query = useAnswer<OperatorWebhook>(`/partners/${partnerId}/webhook`);
  const target = query.data;
  const isMissing = query.isError && problemIn(query.error).kind === "gone";
  const offered: readonly Action[] = [
    ...(operatesWebhooks && target ? ([target.disabled_at === null ? "test" : "enable"] as const) : []),
    ...(disablesWebhooks && target?.disabled_at === null ? (["disable"] as const) : []),
    ...(setsPartner && target ? (["rotate"] as const) : []),
    ...(setsPartner && (target || isMissing) ? (["set"] as const) : []),
  ];
  return (
    <Section title={t("webhook.title")} aside={target && <Health of={target} />}>
      <div className="pad stack-4">
        {isMissing && <p className="dim">{t("webhook.none")}</p>}
        {query.isError && !isMissing && <ProblemNotice error={query.error} />}
        {target && !isMissing && <Settings of={target} />}
        {offered.length > 0 && (
          <div className="row wrap">
            {offered.map((name) => (
              <Button key={name} onClick={() => setAction(name)}>
                {t(`webhook.actions.${name}`)}
              </Button>
            ))}
          </div>
        )}
      </div>
      {action && (
        <AskWebhook
          partnerId={partnerId}
          action={action}
          url={target?.url ?? ""}
          onClose={() => setAction(null)}
          onResult={onResult}
        />
      )}
    </Section>
  );
};

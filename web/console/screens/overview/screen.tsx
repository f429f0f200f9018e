import type { OperatorOverview } from "@portage/contract/operator";
import { statusCodes, statusTexts } from "@portage/contract/statuses";
import {
  CircleCheck,
  CirclePlay,
  CircleX,
  Hourglass,
  KeyRound,
  Plug,
  TimerOff,
  TriangleAlert,
  Webhook,
} from "lucide-react";
import { useTranslation } from "react-i18next";
import { Bar } from "../../../ui/bar.tsx";
import { Icon, type LucideIcon } from "../../../ui/icon.tsx";
import { StatusWord, statusLooks } from "../../../ui/pill.tsx";
import type { Tone } from "../../../ui/tone.ts";
import { useFormats } from "../../../ui/use-formats.ts";
import { When } from "../../../ui/when.tsx";
import { Answered } from "../../app/answered.tsx";
import { ConsoleLink } from "../../app/navigation.tsx";
import { Page } from "../../app/page.tsx";
import { Section } from "../../app/section.tsx";
import { useAnswer, usePartners } from "../../api/queries.ts";
import { quotaUse, toolTrouble } from "../tools/tool-state.ts";
import { Attention } from "./attention.tsx";

const everyMs = 30_000;

const Statuses = ({ overview }: { overview: OperatorOverview }) => {
  const { t } = useTranslation("overview");
  const formats = useFormats();
  return (
    <section className="card" aria-label={t("byStatus")}>
      <ul className="stat9">
        {statusCodes.map((status) => {
          const { tone, icon } = statusLooks[status];
          return (
            <li key={status} className={`is-${tone}`}>
              <ConsoleLink to={`/imports?status=${status}&closed=false`}>
                <span className="v">
                  <Icon of={icon} />
                  {formats.count(overview.imports.by_status[status])}
                </span>
                <span className="k">{statusTexts[status]}</span>
              </ConsoleLink>
            </li>
          );
        })}
      </ul>
    </section>
  );
};

interface Figure {
  readonly key: "running" | "customers" | "partners" | "failing" | "overdue" | "behind" | "troubled";
  readonly value: number;
  readonly to: string;
  readonly icon: LucideIcon;
  readonly tone: Tone;
}

/** Colour only where there is something. */
const toned = (value: number, tone: Tone): Tone => (value === 0 ? "idle" : tone);

const figuresOf = ({
  imports: { running, stuck },
  webhooks_behind: behind,
  tools,
}: OperatorOverview): readonly Figure[] => {
  const troubled = tools.filter((tool) => toolTrouble(tool) !== null).length;
  return [
    {
      key: "running",
      value: running,
      to: "/imports?running=true",
      icon: CirclePlay,
      tone: toned(running, "info"),
    },
    {
      key: "customers",
      value: stuck.customer,
      to: "/imports?waits_for=customer",
      icon: KeyRound,
      tone: toned(stuck.customer, "warn"),
    },
    {
      key: "partners",
      value: stuck.partner,
      to: "/imports?waits_for=partner",
      icon: Hourglass,
      tone: toned(stuck.partner, "warn"),
    },
    {
      key: "failing",
      value: stuck.tool,
      to: "/imports?waits_for=tool",
      icon: CircleX,
      tone: toned(stuck.tool, "bad"),
    },
    {
      key: "overdue",
      value: stuck.workers,
      to: "/imports?waits_for=workers",
      icon: TimerOff,
      tone: toned(stuck.workers, "bad"),
    },
    {
      key: "behind",
      value: behind,
      to: "/webhooks?behind=true",
      icon: Webhook,
      tone: toned(behind, "warn"),
    },
    { key: "troubled", value: troubled, to: "/tools", icon: Plug, tone: toned(troubled, "warn") },
  ];
};

const Figures = ({ overview }: { overview: OperatorOverview }) => {
  const { t } = useTranslation("overview");
  const formats = useFormats();
  return (
    <section className="card c-gap" aria-label={t("now")}>
      <ul className="stat9 few">
        {figuresOf(overview).map(({ key, value, to, icon, tone }) => (
          <li key={key} className={`is-${tone}`}>
            <ConsoleLink to={to}>
              <span className="v">
                <Icon of={icon} />
                {formats.count(value)}
              </span>
              <span className="k">{t(key)}</span>
            </ConsoleLink>
          </li>
        ))}
      </ul>
    </section>
  );
};

const WebhooksBehind = ({ webhooks }: Pick<OperatorOverview, "webhooks">) => {
  const { t } = useTranslation("overview");
  const formats = useFormats();
  const { nameOf } = usePartners();
  return (
    <Section
      title={t("webhooks.title")}
      aside={<ConsoleLink to="/webhooks?behind=true">{t("webhooks.all")}</ConsoleLink>}
    >
      {webhooks.length === 0 ? (
        <p className="pad dim">{t("webhooks.none")}</p>
      ) : (
        <table className="dt">
          <thead>
            <tr>
              <th scope="col">{t("webhooks.partner")}</th>
              <th scope="col" className="r">
                {t("webhooks.open")}
              </th>
              <th scope="col">{t("webhooks.oldest")}</th>
              <th scope="col" className="desk">
                {t("webhooks.state")}
              </th>
            </tr>
          </thead>
          <tbody>
            {webhooks.map((each) => (
              <tr key={each.partner_id}>
                <td>
                  <ConsoleLink className="row-link" to={`/partners/${each.partner_id}`}>
                    {nameOf(each.partner_id)}
                  </ConsoleLink>
                </td>
                <td className="r num">
                  <ConsoleLink
                    to={`/partners/${each.partner_id}`}
                    aria-label={`${t("webhooks.open")}: ${formats.count(each.waiting + each.sending + each.held)}`}
                  >
                    {formats.count(each.waiting + each.sending + each.held)}
                  </ConsoleLink>
                </td>
                <td className="dim">{each.oldest_due_at && <When at={each.oldest_due_at} relative />}</td>
                <td className="desk">
                  {each.disabled_at !== null ? (
                    <StatusWord tone="bad" icon={CircleX}>
                      {t("webhooks.disabled")}
                    </StatusWord>
                  ) : each.failing_since !== null ? (
                    <StatusWord tone="warn" icon={TriangleAlert}>
                      {t("webhooks.failing")}
                    </StatusWord>
                  ) : (
                    <StatusWord tone="ok" icon={CircleCheck}>
                      {t("webhooks.fine")}
                    </StatusWord>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Section>
  );
};

const Capacity = ({ workers }: Pick<OperatorOverview, "workers">) => {
  const { t } = useTranslation("overview");
  const formats = useFormats();
  const count = workers.processes.filter(({ name }) => name.startsWith("portage worker")).length;
  const lines = [
    ["workers", count, "/workers"],
    ["partitions", workers.partitions, "/imports?running=true"],
    ["overdue", workers.overdue_partitions, "/imports?waits_for=workers"],
    ["effects", workers.waiting_effects, "/workers"],
  ] as const;
  return (
    <Section title={t("capacity.title")} aside={<ConsoleLink to="/workers">{t("capacity.all")}</ConsoleLink>}>
      <div className="pad">
        {count === 0 && (
          <p className="mb-2">
            <StatusWord tone="bad" icon={CircleX}>
              {t("capacity.none")}
            </StatusWord>
          </p>
        )}
        {lines.map(([key, value, to]) => (
          <div key={key} className="between py-1">
            <span className="dim">{t(`capacity.${key}`)}</span>
            <ConsoleLink
              to={to}
              className="num"
              aria-label={`${t(`capacity.${key}`)}: ${formats.count(value)}`}
            >
              {formats.count(value)}
            </ConsoleLink>
          </div>
        ))}
      </div>
    </Section>
  );
};

const maxQuotas = 6;
const nearlyFull = 0.9;

const Quotas = ({ tools }: Pick<OperatorOverview, "tools">) => {
  const { t } = useTranslation("overview");
  const formats = useFormats();
  const fullest = tools
    .flatMap((tool) => {
      const share = quotaUse(tool);
      return share === null ? [] : [{ name: tool.name, label: tool.label, share }];
    })
    .toSorted((a, b) => b.share - a.share)
    .slice(0, maxQuotas);
  return (
    <Section title={t("tools.title")} aside={<ConsoleLink to="/tools">{t("tools.all")}</ConsoleLink>}>
      <div className="pad">
        {fullest.length === 0 && <p className="dim">{t("tools.none")}</p>}
        {fullest.map(({ name, label, share }) => (
          <div key={name} className="meter">
            <span className="dim">{label}</span>
            <Bar
              label={t("tools.used", { name: label })}
              share={share}
              thickness="thin"
              tone={share >= nearlyFull ? "warn" : "info"}
            />
            <ConsoleLink to={`/tools/${name}`} aria-label={`${label}: ${formats.percent(share)}`}>
              {formats.percent(share)}
            </ConsoleLink>
          </div>
        ))}
      </div>
    </Section>
  );
};

export const Screen = () => {
  const { t } = useTranslation("overview");
  const formats = useFormats();
  const query = useAnswer<OperatorOverview>("/overview", { everyMs });
  const stuck = Object.values(query.data?.imports.stuck ?? {}).reduce((sum, each) => sum + each, 0);
  return (
    <Page
      title={t("title")}
      beside={
        query.data &&
        (stuck === 0 ? (
          <StatusWord tone="ok" icon={CircleCheck}>
            {t("healthy")}
          </StatusWord>
        ) : (
          <StatusWord tone="bad" icon={TriangleAlert}>
            {t("stuck", { count: stuck, number: formats.count(stuck) })}
          </StatusWord>
        ))
      }
    >
      <Answered query={query} lines={8}>
        {(overview) => (
          <>
            <Statuses overview={overview} />
            <Figures overview={overview} />
            <div className="c-grid a c-gap">
              <div className="c-col">
                <Attention imports={overview.attention} total={stuck} />
                <WebhooksBehind webhooks={overview.webhooks} />
              </div>
              <div className="c-col">
                <Capacity workers={overview.workers} />
                <Quotas tools={overview.tools} />
              </div>
            </div>
          </>
        )}
      </Answered>
    </Page>
  );
};

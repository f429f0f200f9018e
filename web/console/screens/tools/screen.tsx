import type { OperatorTool } from "@portage/contract/operator";
import { CircleCheck, CirclePause, CircleX, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Bar } from "../../../ui/bar.tsx";
import { Button } from "../../../ui/button.tsx";
import { StatusWord } from "../../../ui/pill.tsx";
import { useFormats } from "../../../ui/use-formats.ts";
import { useWords } from "../../i18n/use-words.ts";
import { ActionDialog } from "../../app/action-dialog.tsx";
import { Answered } from "../../app/answered.tsx";
import { ConsoleLink } from "../../app/navigation.tsx";
import { Page } from "../../app/page.tsx";
import { type ActionResult, ResultNotice } from "../../app/result-notice.tsx";
import { useRights } from "../../app/use-rights.ts";
import { useAnswer } from "../../api/queries.ts";
import { quotaUse, toolTrouble } from "./tool-state.ts";

const looks = {
  fine: { tone: "ok", icon: CircleCheck },
  failing: { tone: "bad", icon: CircleX },
  refusing: { tone: "warn", icon: TriangleAlert },
  disabled: { tone: "idle", icon: CirclePause },
} as const;

const nearlyFull = 0.9;

const ToolRow = ({ of, ask }: { of: OperatorTool; ask: (tool: OperatorTool) => void }) => {
  const { t } = useTranslation("tools");
  const formats = useFormats();
  const family = useWords("families");
  const { switchesTools } = useRights();
  const state = toolTrouble(of) ?? "fine";
  const share = quotaUse(of);
  const requests = of.accounts.reduce((sum, each) => sum + each.requests_last_minute, 0);
  const { label: name } = of;
  return (
    <tr>
      <td>
        <ConsoleLink className="row-link" to={`/tools/${of.name}`}>
          {name}
        </ConsoleLink>
        <span className="sub">{formats.list(of.families.map(family))}</span>
      </td>
      <td className="full">
        <span className="row wrap">
          <StatusWord {...looks[state]}>{t(`states.${state}`)}</StatusWord>
          {switchesTools && (
            <Button
              className="sm"
              aria-label={of.enabled ? t("disableOne", { name }) : t("enableOne", { name })}
              onClick={() => ask(of)}
            >
              {of.enabled ? t("disable") : t("enable")}
            </Button>
          )}
        </span>
      </td>
      <td className="r num hide">
        <ConsoleLink
          to={`/tools/${of.name}`}
          aria-label={t("accountsOf", { name, number: formats.count(of.accounts.length) })}
        >
          {formats.count(of.accounts.length)}
        </ConsoleLink>
      </td>
      <td className="r num hide">{formats.count(Math.round(requests))}</td>
      <td className="hide">
        {share !== null && (
          <span className="row">
            <span className="w-20">
              <Bar
                label={t("used", { name })}
                share={share}
                thickness="thin"
                tone={share >= nearlyFull ? "warn" : "info"}
              />
            </span>
            <span className="num">{formats.percent(share)}</span>
          </span>
        )}
      </td>
      <td className="r">
        <ConsoleLink to={`/imports?tool=${of.name}`} aria-label={t("importsOf", { name })}>
          {t("imports")}
        </ConsoleLink>
      </td>
    </tr>
  );
};

export const Screen = () => {
  const { t } = useTranslation("tools");
  const [asked, setAsked] = useState<OperatorTool | null>(null);
  const [result, setResult] = useState<ActionResult | null>(null);
  const query = useAnswer<{ tools: readonly OperatorTool[] }>("/tools", { everyMs: 30_000 });
  const action = asked?.enabled ? "disable" : "enable";
  return (
    <Page title={t("title")}>
      <ResultNotice result={result} />
      <Answered query={query}>
        {({ tools }) => (
          <section className="card" aria-label={t("title")}>
            <table className="dt cards">
              <thead>
                <tr>
                  <th scope="col">{t("name")}</th>
                  <th scope="col">{t("state")}</th>
                  <th scope="col" className="r">
                    {t("accounts")}
                  </th>
                  <th scope="col" className="r">
                    {t("requests")}
                  </th>
                  <th scope="col">{t("quota")}</th>
                  <th scope="col" className="r">
                    {t("imports")}
                  </th>
                </tr>
              </thead>
              <tbody>
                {tools.map((each) => (
                  <ToolRow key={each.name} of={each} ask={setAsked} />
                ))}
              </tbody>
            </table>
          </section>
        )}
      </Answered>
      {asked && (
        <ActionDialog
          title={t(`ask.${action}.title`, { name: asked.label })}
          text={t(`ask.${action}.text`)}
          confirm={t(`ask.${action}.confirm`)}
          path={`/tools/${asked.name}/${action}`}
          onClose={() => setAsked(null)}
          onDone={() => {
            setAsked(null);
            setResult({ text: t(`ask.${action}.done`, { name: asked.label }), copy: null });
          }}
        />
      )}
    </Page>
  );
};

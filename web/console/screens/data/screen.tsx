import type { OperatorRetention, OperatorStorage } from "@portage/contract/operator";
import { CircleCheck, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Bar } from "../../../ui/bar.tsx";
import { Button } from "../../../ui/button.tsx";
import { Input } from "../../../ui/input.tsx";
import { StatusWord } from "../../../ui/pill.tsx";
import { useFormats } from "../../../ui/use-formats.ts";
import { When } from "../../../ui/when.tsx";
import { ActionDialog } from "../../app/action-dialog.tsx";
import { Answered } from "../../app/answered.tsx";
import { FormField } from "../../app/form-field.tsx";
import { Page } from "../../app/page.tsx";
import { type ActionResult, ResultNotice } from "../../app/result-notice.tsx";
import { useRights } from "../../app/use-rights.ts";
import { Section } from "../../app/section.tsx";
import { useNow } from "../../app/use-now.ts";
import { useAnswer } from "../../api/queries.ts";

/** Two days without a run raise an alert. */
const lateMs = 48 * 3_600_000;

const LastRun = ({ at }: { at: string | null }) => {
  const { t } = useTranslation("data");
  const now = useNow();
  if (at === null)
    return (
      <StatusWord tone="warn" icon={TriangleAlert}>
        {t("never")}
      </StatusWord>
    );
  const isLate = now.getTime() - Date.parse(at) > lateMs;
  return (
    <>
      <StatusWord tone={isLate ? "bad" : "ok"} icon={isLate ? TriangleAlert : CircleCheck}>
        <When at={at} relative />
      </StatusWord>
      {isLate && <p className="hint">{t("late")}</p>}
    </>
  );
};

const Retention = ({ ask }: { ask: () => void }) => {
  const { t } = useTranslation("data");
  const { erases } = useRights();
  const query = useAnswer<OperatorRetention>("/retention");
  return (
    <Section
      title={t("retention")}
      aside={
        erases && (
          <Button className="sm" onClick={ask}>
            {t("run")}
          </Button>
        )
      }
    >
      <Answered query={query}>
        {({ last_run_at: at, tables }) => (
          <>
            <div className="pad between">
              <span className="dim">{t("lastRun")}</span>
              <span>
                <LastRun at={at} />
              </span>
            </div>
            <table className="dt cards">
              <thead>
                <tr>
                  <th scope="col">{t("table")}</th>
                  <th scope="col">{t("kept")}</th>
                  <th scope="col" className="r">
                    {t("erasure")}
                  </th>
                </tr>
              </thead>
              <tbody>
                {tables.map(({ table, kept, at_erasure: what }) => (
                  <tr key={table}>
                    <td className="mono">{table}</td>
                    <td className="full">{kept}</td>
                    <td className="r">{t(`atErasure.${what}`)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </>
        )}
      </Answered>
    </Section>
  );
};

const Storage = () => {
  const { t } = useTranslation("data");
  const formats = useFormats();
  const query = useAnswer<OperatorStorage>("/storage");
  return (
    <Section title={t("storage")}>
      <Answered query={query}>
        {({ database_bytes: all, tables }) => (
          <>
            <div className="pad between">
              <span className="dim">{t("total")}</span>
              <b className="num">{formats.bytes(all)}</b>
            </div>
            <table className="dt">
              <thead>
                <tr>
                  <th scope="col">{t("table")}</th>
                  <th scope="col">
                    <span className="vh">{t("size")}</span>
                  </th>
                  <th scope="col" className="r">
                    {t("size")}
                  </th>
                  <th scope="col" className="r desk">
                    {t("rows")}
                  </th>
                </tr>
              </thead>
              <tbody>
                {tables.map(({ table, bytes, rows }) => (
                  <tr key={table}>
                    <td className="mono c-anywhere">{table}</td>
                    <td className="c-share">
                      <Bar
                        label={t("share", { table })}
                        share={all === 0 ? 0 : bytes / all}
                        thickness="thin"
                        tone="info"
                      />
                    </td>
                    <td className="r num">{formats.bytes(bytes)}</td>
                    <td className="r num desk">{formats.count(rows)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </>
        )}
      </Answered>
    </Section>
  );
};

interface Erased {
  readonly receipts: readonly { readonly jws: string }[];
}

interface AskErasureProps {
  readonly onClose: () => void;
  readonly onResult: (result: ActionResult) => void;
}

const AskErasure = ({ onClose, onResult }: AskErasureProps) => {
  const { t } = useTranslation("data");
  const formats = useFormats();
  const [username, setUsername] = useState("");
  return (
    <ActionDialog
      title={t("ask.erase.title")}
      text={t("ask.erase.text")}
      confirm={t("ask.erase.confirm")}
      danger
      path="/erasures"
      body={{ destination_username: username.trim() }}
      fields={["destination_username"]}
      onClose={onClose}
      onDone={(answer) => {
        const { receipts } = answer as Erased;
        onClose();
        onResult(
          receipts.length === 0
            ? { text: t("ask.erase.none"), copy: null }
            : {
                text: t("ask.erase.done", { count: receipts.length, number: formats.count(receipts.length) }),
                copy: receipts.map(({ jws }) => jws).join("\n"),
              },
        );
      }}
    >
      <FormField
        name="destination_username"
        label={t("ask.erase.username")}
        hint={t("ask.erase.usernameHint")}
      >
        <Input
          value={username}
          maxLength={1_000}
          autoComplete="off"
          onChange={(event) => setUsername(event.target.value)}
        />
      </FormField>
    </ActionDialog>
  );
};

/** What is kept, for how long, and how much of it there is. */
export const Screen = () => {
  const { t } = useTranslation("data");
  const { erases } = useRights();
  const [asked, setAsked] = useState<"run" | "erase" | null>(null);
  const [result, setResult] = useState<ActionResult | null>(null);
  const close = () => setAsked(null);
  return (
    <Page title={t("title")}>
      <ResultNotice result={result} />
      <div className="c-grid b">
        <div className="c-col">
          {erases && (
            <Section title={t("erase")}>
              <div className="pad stack-2">
                <p className="muted">{t("eraseText")}</p>
                <Button look="danger-quiet" onClick={() => setAsked("erase")}>
                  {t("erase")}
                </Button>
              </div>
            </Section>
          )}
          <Retention ask={() => setAsked("run")} />
        </div>
        <div className="c-col">
          <Storage />
        </div>
      </div>
      {asked === "run" && (
        <ActionDialog
          title={t("ask.run.title")}
          text={t("ask.run.text")}
          confirm={t("ask.run.confirm")}
          path="/retention/run"
          onClose={close}
          onDone={() => {
            close();
            setResult({ text: t("ask.run.done"), copy: null });
          }}
        />
      )}
      {asked === "erase" && <AskErasure onClose={close} onResult={setResult} />}
    </Page>
  );
};

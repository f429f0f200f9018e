import type { WizardSideState } from "@portage/contract/wizard";
import { TriangleAlert } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Notice } from "../../../ui/notice.tsx";
import "../../../ui/styles/connect.css";
import type { Failure } from "./failure.ts";
import { ServerText } from "../../app/server-text.tsx";
import { MarkedText } from "./marked-text.tsx";

const keyIn = ({ form }: WizardSideState): string =>
  (Object.values(form.properties).find(({ writeOnly }) => writeOnly)?.title ?? "key").replace(/^./, (first) =>
    first.toLowerCase(),
  );

/** Failures that copying the value again fixes. */
const copiedWrong: ReadonlySet<Failure["kind"]> = new Set(["wrong_key", "wrong_address", "unresolvable"]);

const useFailureWords = (failure: Failure, state: WizardSideState) => {
  const { t } = useTranslation("connect");
  const names = { tool: state.label, key: state.signIn === "secret" ? keyIn(state) : t("checking.signIn") };
  const { kind, denied, message } = failure;
  if (denied)
    return {
      title: t("fix.no_permission.denied", names),
      text: t("fix.no_permission.deniedText", names),
      steps: Object.values(t("fix.no_permission.allow", { ...names, returnObjects: true })),
    };
  if (kind === "typed") return { title: t("fix.typed.title"), text: t("fix.typed.text"), steps: [] };
  if (kind === "other")
    return {
      title: message === null ? t("fix.other.title") : <ServerText>{message}</ServerText>,
      text: null,
      steps: Object.values(t("fix.other.steps", { returnObjects: true })),
    };
  // The connector has read the tool's response, so its message is the most precise.
  const own = failure.refusal && /[.!]$/.test(failure.refusal.message) ? failure.refusal.message : null;
  const { setting } = failure.refusal ?? {};
  const where = kind === "wrong_key" && setting != null ? state.form.properties[setting]?.where : undefined;
  const steps =
    state.partnersOwn && copiedWrong.has(kind)
      ? t("fix.fromPartner", { ...names, returnObjects: true })
      : t(`fix.${kind}.steps`, { ...names, returnObjects: true });
  return {
    title: own === null ? t(`fix.${kind}.title`, names) : <ServerText>{own}</ServerText>,
    text: t(`fix.${kind}.text`, names),
    steps: where ?? Object.values(steps),
  };
};

/** What happened, and how to fix it in three steps at most. Screen readers announce it immediately. */
export const FailureNotice = ({
  failure,
  state,
  wayOut,
}: {
  failure: Failure;
  state: WizardSideState;
  wayOut: ReactNode;
}) => {
  const { t } = useTranslation("connect");
  const { title, text, steps } = useFailureWords(failure, state);
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => notice.current?.focus(), []);
  return (
    <>
      <Notice ref={notice} tone="bad" icon={TriangleAlert} title={title} alert>
        {text !== null && <p className="muted">{text}</p>}
      </Notice>
      {steps.length > 0 && (
        <div className="where">
          <h2>{t("fix.title")}</h2>
          <ol>
            {steps.map((step) => (
              <li key={step}>
                <span>
                  <MarkedText text={step} />
                </span>
              </li>
            ))}
          </ol>
          {wayOut}
        </div>
      )}
    </>
  );
};

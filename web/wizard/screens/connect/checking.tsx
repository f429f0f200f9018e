import type { WizardSide } from "@portage/contract/wizard";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { Actions } from "../../../ui/actions.tsx";
import { Button } from "../../../ui/button.tsx";
import { type Check, Checks, type CheckState } from "../../../ui/checks.tsx";
import { Spinner } from "../../../ui/spinner.tsx";
import { useFormats } from "../../../ui/use-formats.ts";
import { useImport } from "../../api/queries.ts";
import { Page, PageHead } from "../../app/page.tsx";
import { useKinds } from "../../app/use-kinds.ts";
import { AccountHead } from "./account-head.tsx";
import { namesFor } from "./names.ts";
import type { Connecting } from "./use-connecting.ts";
import { useFound } from "./use-found.ts";

interface CheckingProps {
  readonly side: WizardSide;
  readonly connecting: Connecting;
}

/** The counting step with its counts so far, and whether counting has ended. */
const useCounting = (side: WizardSide, signedIn: boolean) => {
  const { t } = useTranslation("connect");
  const formats = useFormats();
  const { word } = useKinds();
  const { data, error } = useFound(side, signedIn);
  const state = (ended: boolean): CheckState => (!signedIn ? "todo" : ended ? "done" : "working");
  if (side === "destination" || data?.side === "destination") {
    const ended = data !== undefined || error !== null;
    const title = ended ? t("checking.looked") : t("checking.looking");
    return { ended, check: { key: "count", state: state(ended), title } satisfies Check };
  }
  const ended = (data !== undefined && !data.counting) || error !== null;
  const counted = (data?.streams ?? []).filter(({ count }) => count !== null && count > 0);
  const list = formats.list(
    counted.map(({ count, label }) => `${formats.count(count ?? 0)} ${word(label, count ?? 0)}`),
  );
  const trouble = error !== null || data?.trouble != null;
  const text = trouble ? t("checking.uncounted") : list === "" ? undefined : t("checking.soFar", { list });
  const title = ended ? t("checking.counted") : t("checking.counting");
  return {
    ended,
    check: {
      key: "count",
      title,
      state: trouble && ended ? ("note" as const) : state(ended),
      ...(text !== undefined && { text }),
    } satisfies Check,
  };
};

/** The steps of the first connection to a tool. */
export const Checking = ({ side, connecting }: CheckingProps) => {
  const { t } = useTranslation(["connect", "files"]);
  const found = useImport();
  const state = found.sides[side];
  const names = namesFor(found, side);
  const signedIn = connecting.phase.kind === "connected";
  const { ended, check } = useCounting(side, signedIn);
  const { rest } = connecting;
  // The counts of an earlier connection may still be there while this one is checked.
  const isDone = signedIn && ended;
  useEffect(() => {
    if (isDone) rest();
    // `rest` changes with every render.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [isDone]);
  const first = (working: string, done: string): Pick<Check, "state" | "title"> =>
    signedIn ? { state: "done", title: done } : { state: "working", title: working };
  const isFiles = state.signIn === "none";
  const opening = first(t("files:checking.find"), t("files:checking.found"));
  const signing: Check[] = [
    { key: "find", ...first(t("checking.find", names), t("checking.found", names)) },
    {
      key: "sign-in",
      state: signedIn ? "done" : "todo",
      title: signedIn ? t("checking.signedIn") : t("checking.signIn"),
      ...(signedIn &&
        state.signInName !== null && { text: t("checking.signedInAs", { name: state.signInName }) }),
    },
    ...(side === "source"
      ? [
          {
            ...({ key: "read", state: signedIn ? "done" : "todo", title: t("checking.reading") } as const),
            ...(signedIn && { text: state.readOnly ? t("checking.readingScope") : t("checking.readingKey") }),
          },
        ]
      : []),
  ];
  const checks: Check[] = [...(isFiles ? [{ key: "find", ...opening }] : signing), check];
  const title = isFiles ? t("files:checking.title") : t("checking.title");
  const under = isFiles ? t("files:checking.status") : t("checking.status", names);
  return (
    <Page title={t("checking.documentTitle")} width="narrow">
      <PageHead title={title} lead={isFiles ? t("files:checking.lead") : t("checking.lead")} />
      <p className="vh" role="status">
        {signedIn ? t("checking.statusCounting") : under}
      </p>
      <section className="card" aria-label={title}>
        <div className="pad">
          <AccountHead
            state={signedIn ? state : { ...state, accountName: null, signInName: null }}
            pill={
              <span className="pill is-info">
                <Spinner />
                {t("checking.pill")}
              </span>
            }
          />
          <div className="mt-4">
            <Checks checks={checks} label={t("checking.list")} />
          </div>
        </div>
      </section>
      <Actions>
        <Button look="primary" disabledReason={signedIn ? null : t("checking.wait")} onClick={rest}>
          {t("checking.continue")}
        </Button>
        {!signedIn && (
          <Button look="quiet" onClick={rest}>
            {t("checking.cancel")}
          </Button>
        )}
      </Actions>
    </Page>
  );
};

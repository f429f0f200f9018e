import type { WizardPreflight, WizardPreflightFinding } from "@portage/contract/wizard";
import { Check as CheckIcon, CircleX, RefreshCw, TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { type Check, Checks } from "../../../ui/checks.tsx";
import { Pill } from "../../../ui/pill.tsx";
import { useFormats } from "../../../ui/use-formats.ts";
import { useImport } from "../../api/queries.ts";
import { ScreenLink } from "../../app/screen-link.tsx";
import { useKinds } from "../../app/use-kinds.ts";
import { ServerText } from "../../app/server-text.tsx";
import { useFindingWords } from "./use-finding-words.ts";
import { blocksIn, type usePreflight } from "./use-preflight.ts";

/** Findings about a tool's connection; without any, both connections are fine. */
const aboutAccounts: ReadonlySet<string> = new Set([
  "not_connected",
  "sign_in_refused",
  "no_permission",
  "wrong_address",
  "unreachable",
  "not_checked",
]);

const worstFirst = (findings: readonly WizardPreflightFinding[]) =>
  findings.toSorted((a, b) => (a.level === b.level ? 0 : a.level === "blocks" ? -1 : 1));

/** Findings that a new sign-in fixes. */
const mendedBySignIn: ReadonlySet<string> = new Set([
  "not_connected",
  "sign_in_refused",
  "no_permission",
  "wrong_address",
]);

const useFindingChecks = (findings: readonly WizardPreflightFinding[]): readonly Check[] => {
  const { t } = useTranslation("full");
  const wordsOf = useFindingWords();
  return worstFirst(findings).map((finding) => {
    const { code, side, stream, level, toolSays } = finding;
    const { message, fix } = wordsOf(finding);
    return {
      ...(side !== null &&
        mendedBySignIn.has(code) && {
          aside: (
            <ScreenLink to={side === "source" ? "connect" : "destination"}>{t("checks.signIn")}</ScreenLink>
          ),
        }),
      key: `${code}|${side ?? ""}|${stream ?? ""}`,
      state: level === "blocks" ? "failed" : "note",
      // The connector has read the tool's response, so its message is the most precise.
      title: toolSays === undefined ? message : <ServerText>{toolSays}</ServerText>,
      ...(fix !== undefined && { text: fix }),
    };
  });
};

/** Whether people get messages about copies: measured, to be measured, or only promised. */
const useSilence = (preflight: WizardPreflight | undefined): Check => {
  const { t } = useTranslation("full");
  const formats = useFormats();
  const kinds = useKinds();
  const { partner } = useImport();
  const names = { destination: partner.name };
  const silence = preflight?.silence ?? { kind: "promised" };
  const key = "emails";
  if (silence.kind === "promised")
    return { key, state: "done", title: t("checks.emails"), text: t("checks.emailsPromised", names) };
  const { last } = silence;
  if (last === null)
    return { key, state: "done", title: t("checks.emails"), text: t("checks.emailsToMeasure", names) };
  const when = formats.dateTime(last.at);
  if (last.caught === null)
    return {
      key,
      state: "done",
      title: t("checks.emailsMeasured"),
      text: t("checks.emailsMeasuredText", {
        when,
        count: last.records,
        number: formats.count(last.records),
      }),
    };
  const { label, subject, mend } = last.caught;
  const what = label === null ? "" : kinds.words(label);
  return {
    key,
    state: "failed",
    title: t("checks.emailsCaught", names),
    text: (
      <>
        {t(label === null ? "checks.emailsCaughtText" : "checks.emailsCaughtKind", { subject, kind: what })}{" "}
        <ServerText>{mend}</ServerText>
      </>
    ),
  };
};

/** The passed checks; only those that this preflight has made. */
const useGoodNews = (preflight: WizardPreflight | undefined): readonly Check[] => {
  const { t } = useTranslation("full");
  const formats = useFormats();
  const kinds = useKinds();
  const { sides, partner, retention } = useImport();
  const silence = useSilence(preflight);
  if (!preflight) return [];
  const { findings, stays, estimate } = preflight;
  const names = { source: sides.source.label, destination: partner.name };
  const codes = new Set(findings.map(({ code }) => code));
  const news: readonly (Check | false)[] = [
    ![...codes].some((code) => aboutAccounts.has(code)) && {
      key: "accounts",
      state: "done",
      title: t("checks.accounts"),
      text: t("checks.accountsText", names),
    },
    estimate !== null && !codes.has("may_notify") && silence,
    stays !== null &&
      (stays.length === 0
        ? {
            key: "undo",
            state: "done",
            title: t("checks.undo"),
            text: t("checks.undoText", { days: retention.days.destination }),
          }
        : {
            key: "undo",
            state: "note",
            text: t("checks.undoLeavesText", names),
            title: t("checks.undoLeaves", {
              kinds: formats.list(stays.map(({ label }) => kinds.words(label))),
            }),
          }),
  ];
  return news.filter((each) => each !== false);
};

const Standing = ({ preflight }: { preflight: WizardPreflight | undefined }) => {
  const { t } = useTranslation("full");
  if (!preflight) return null;
  const blocks = blocksIn(preflight);
  const { silence } = preflight;
  const notes =
    preflight.findings.length -
    blocks +
    (preflight.stays?.length ? 1 : 0) +
    (silence?.kind === "measured" && silence.last?.caught ? 1 : 0);
  if (blocks > 0)
    return (
      <Pill tone="bad" icon={CircleX}>
        {t("checks.blocks", { count: blocks })}
      </Pill>
    );
  return notes > 0 ? (
    <Pill tone="warn" icon={TriangleAlert}>
      {t("checks.notes", { count: notes })}
    </Pill>
  ) : (
    <Pill tone="ok" icon={CheckIcon}>
      {t("checks.ready")}
    </Pill>
  );
};

/** The results of the preflight: blockers first, then notes, then passed checks. */
export const PreflightCard = ({ check }: { check: ReturnType<typeof usePreflight> }) => {
  const { t } = useTranslation("full");
  const { partner } = useImport();
  const { data, isFetching, isError, refetch } = check;
  const findings = useFindingChecks(data?.findings ?? []);
  const goodNews = useGoodNews(data);
  const working: Check = {
    key: "working",
    state: "working",
    title: t("checks.working"),
    text: t("checks.workingText"),
  };
  const unreachable: Check = {
    key: "unreachable",
    state: "note",
    title: t("checks.unreachable"),
    text: t("checks.unreachableText"),
  };
  const checks = isFetching ? [working] : isError ? [unreachable] : [...findings, ...goodNews];
  return (
    <Card
      ruled
      title={isFetching ? t("checks.working") : isError ? t("checks.unknown") : t("checks.title")}
      aside={!isFetching && !isError && <Standing preflight={data} />}
    >
      <div className="px-6 pt-1 pb-2">
        <Checks checks={checks} label={t("checks.label")} />
      </div>
      <p className="muted t14 px-6 pb-4">{t("checks.notTwice", { destination: partner.name })}</p>
      {!isFetching && (
        <footer>
          <Button look="quiet" icon={RefreshCw} onClick={() => void refetch()}>
            {t("checks.again")}
          </Button>
        </footer>
      )}
    </Card>
  );
};

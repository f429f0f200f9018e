import type { WizardPeopleFile } from "@portage/contract/wizard";
import { Download, FileSpreadsheet } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, buttonClass } from "../../../ui/button.tsx";
import { Fold } from "../../../ui/fold.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { useFormats } from "../../../ui/use-formats.ts";
import type { Problem } from "../../../client/problem.ts";
import { useClient } from "../../api/use-client.tsx";
import type { MatchingStore, ReadyMatching } from "../../matching/matching-store.ts";
import { useNames } from "../../matching/use-names.ts";
import { useProblemText } from "../../matching/use-problem-text.ts";
import { touchKey, type useTouched } from "../../matching/use-touched.ts";
import { decodeList } from "./decode-list.ts";
import { chooseThese } from "./person-choice.ts";

/** What became of a list that was brought back. */
export interface PeopleFileOutcome {
  readonly file: string;
  readonly result: WizardPeopleFile | Problem | "too_large";
}

interface PeopleFileProps {
  readonly ready: ReadyMatching;
  readonly store: MatchingStore;
  readonly touching: ReturnType<typeof useTouched>;
  readonly outcome: PeopleFileOutcome | null;
  readonly onOutcome: (outcome: PeopleFileOutcome) => void;
}

/** More than any list has that the server takes. */
const maxBytes = 4 * 1024 * 1024;

const Outcome = ({ file, result }: PeopleFileOutcome) => {
  const { t } = useTranslation("people");
  const formats = useFormats();
  const names = useNames();
  const problemText = useProblemText();
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.focus(), []);
  const notice = () => {
    if (result === "too_large") return <Notice tone="warn" title={t("file.tooLarge")} />;
    if ("kind" in result)
      return (
        <Notice tone="warn" title={t("file.notRead", { file })}>
          <p>{result.kind === "invalid" ? t("file.unreadable") : problemText(result)}</p>
        </Notice>
      );
    const taken = Object.keys(result.choices).length;
    const { problems, problemCount } = result;
    return (
      <Notice
        tone={problemCount > 0 ? "warn" : "ok"}
        title={
          taken === 0
            ? t("file.none", { file })
            : t("file.taken", { file, count: taken, shown: formats.count(taken) })
        }
      >
        {problemCount > 0 && (
          <>
            <p>{t("file.problems", { count: problemCount, shown: formats.count(problemCount) })}</p>
            <ul className="mt-2 list-disc ps-5">
              {problems.map(({ row, value, reason }) => (
                <li key={row}>
                  {t("file.row", { row: formats.count(row) })}{" "}
                  <bdi>{t(`file.why.${reason}`, { ...names, value })}</bdi>
                </li>
              ))}
            </ul>
            {problemCount > problems.length && (
              <p>{t("file.more", { shown: formats.count(problems.length) })}</p>
            )}
          </>
        )}
      </Notice>
    );
  };
  return (
    <div ref={place} tabIndex={-1} className="mt-4">
      {notice()}
    </div>
  );
};

/** Matching in a spreadsheet, for teams with too many people to click through. */
export const PeopleFile = ({ ready, store, touching, outcome, onOutcome }: PeopleFileProps) => {
  const { t, i18n } = useTranslation("people");
  const client = useClient();
  const names = useNames();
  const [busy, setBusy] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const read = async (file: File) => {
    if (file.size > maxBytes) return onOutcome({ file: file.name, result: "too_large" });
    setBusy(true);
    // What the list says is compared with what is saved.
    await store.flush();
    const { text } = decodeList(await file.arrayBuffer(), i18n.language);
    const answer = await client.request<WizardPeopleFile>("/mapping/people/file", {
      method: "POST",
      body: { text },
    });
    if (answer.kind === "ok") {
      const { choices } = answer.value;
      touching.touch(Object.keys(choices).map((id) => touchKey("people", id)));
      store.edit(chooseThese(choices));
      await store.flush();
    }
    setBusy(false);
    onOutcome({ file: file.name, result: answer.kind === "ok" ? answer.value : answer });
  };
  const ways = ready.facts.people.canCopy
    ? (["person", "copy", "default", "nobody"] as const)
    : (["person", "default", "nobody"] as const);
  return (
    <Fold
      className="mt-6"
      icon={FileSpreadsheet}
      title={t("file.title")}
      hint={t("file.hint")}
      open={outcome !== null}
    >
      <div className="pad">
        <p>{t("file.text")}</p>
        <ul className="my-3 list-disc ps-5">
          {ways.map((way) => (
            <li key={way}>{t(`file.ways.${way}`, names)}</li>
          ))}
        </ul>
        <p>{t("file.save")}</p>
        <p className="row wrap mt-3">
          <a className={buttonClass()} href={client.address("/mapping/people.csv")} download>
            <Icon of={Download} size="s" />
            {t("file.download")}
          </a>
          <input
            ref={input}
            type="file"
            accept=".csv,.txt,text/csv"
            className="vh"
            tabIndex={-1}
            aria-hidden="true"
            onChange={({ currentTarget }) => {
              const [file] = currentTarget.files ?? [];
              // The same file can be chosen again, once it is mended.
              currentTarget.value = "";
              if (file) void read(file);
            }}
          />
          <Button busy={busy} onClick={() => input.current?.click()}>
            {t("file.choose")}
          </Button>
        </p>
        {outcome && <Outcome {...outcome} />}
      </div>
    </Fold>
  );
};

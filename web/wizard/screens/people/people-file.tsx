import { Download, FileSpreadsheet } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, buttonClass } from "../../../ui/button.tsx";
import { Fold } from "../../../ui/fold.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { useFormats } from "../../../ui/use-formats.ts";
import { useClient } from "../../api/use-client.tsx";
import type { MatchingStore, ReadyMatching, Saving } from "../../matching/matching-store.ts";
import { SavingText } from "../../matching/save-word.tsx";
import { useNames } from "../../matching/use-names.ts";
import { useProblemText } from "../../matching/use-problem-text.ts";
import { touchKey, type useTouched } from "../../matching/use-touched.ts";
import { type PeopleFileResult, takePeopleFile } from "./take-people-file.ts";

/** The list that was brought back last. */
export interface PeopleFileOutcome {
  readonly file: string;
  readonly result: PeopleFileResult;
}

interface PeopleFileProps {
  readonly ready: ReadyMatching;
  readonly store: MatchingStore;
  readonly touching: ReturnType<typeof useTouched>;
  readonly outcome: PeopleFileOutcome | null;
  readonly onOutcome: (outcome: PeopleFileOutcome) => void;
}

interface TakenProps {
  readonly file: string;
  readonly result: Extract<PeopleFileResult, { kind: "taken" }>;
  readonly saving: Saving;
}

/** The choices of a list, and the rows that can't be followed. */
const Taken = ({ file, result: { list, isUtf8, isSaved }, saving }: TakenProps) => {
  const { t } = useTranslation("people");
  const formats = useFormats();
  const names = useNames();
  const { choices, problems, problemCount } = list;
  const taken = Object.keys(choices).length;
  const counts = { file, count: taken, shown: formats.count(taken) };
  const isOpen = !isSaved && saving.kind !== "saved";
  const title = () => {
    if (taken === 0) return t("file.none", { file });
    return isOpen ? t("file.filledIn", counts) : t("file.taken", counts);
  };
  return (
    <Notice tone={problemCount > 0 || isOpen ? "warn" : "ok"} title={title()}>
      {isOpen && (
        <p>
          <SavingText saving={saving} />
        </p>
      )}
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
          {!isUtf8 && <p className="mt-2">{t("file.utf8")}</p>}
        </>
      )}
    </Notice>
  );
};

const Outcome = ({ file, result, saving }: PeopleFileOutcome & { readonly saving: Saving }) => {
  const { t } = useTranslation("people");
  const problemText = useProblemText();
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.focus(), []);
  const notice = () => {
    switch (result.kind) {
      case "taken":
        return <Taken file={file} result={result} saving={saving} />;
      case "too_large":
        return <Notice tone="warn" title={t("file.tooLarge")} />;
      case "not_opened":
        return (
          <Notice tone="warn" title={t("file.notRead", { file })}>
            <p>{t("file.notOpened")}</p>
          </Notice>
        );
      case "not_started":
        return (
          <Notice tone="warn" title={t("file.notStarted", { file })}>
            <p>
              {saving.kind !== "saved" && <SavingText saving={saving} />} {t("file.thenAgain")}
            </p>
          </Notice>
        );
      case "refused":
        return (
          <Notice tone="warn" title={t("file.notRead", { file })}>
            <p>
              {result.problem.kind === "invalid" ? t("file.unreadable") : problemText(result.problem)}{" "}
              {result.problem.kind === "invalid" && !result.isUtf8 && t("file.utf8")}
            </p>
          </Notice>
        );
    }
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
  const touch = (ids: readonly string[]) => touching.touch(ids.map((id) => touchKey("people", id)));
  const read = async (file: File) => {
    setBusy(true);
    try {
      const result = await takePeopleFile({ client, store, language: i18n.language, touch }, file);
      onOutcome({ file: file.name, result });
    } finally {
      setBusy(false);
    }
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
        {outcome && <Outcome {...outcome} saving={ready.saving} />}
      </div>
    </Fold>
  );
};

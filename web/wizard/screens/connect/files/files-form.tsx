import type { WizardCheckedFile, WizardCheckedFiles, WizardInspectedFiles } from "@portage/contract/wizard";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Download, ShieldCheck, TriangleAlert } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Actions } from "../../../../ui/actions.tsx";
import { Button } from "../../../../ui/button.tsx";
import { Field } from "../../../../ui/field.tsx";
import { Icon } from "../../../../ui/icon.tsx";
import { Notice } from "../../../../ui/notice.tsx";
import { Select } from "../../../../ui/select.tsx";
import { Skeleton } from "../../../../ui/skeleton.tsx";
import { useFormats } from "../../../../ui/use-formats.ts";
import "../../../../ui/styles/connect.css";
import "../../../../ui/styles/disclosure.css";
import "../../../../ui/styles/files.css";
import { useImport, valueOf } from "../../../api/queries.ts";
import { useClient } from "../../../api/use-client.tsx";
import { Page, PageHead } from "../../../app/page.tsx";
import { ServerText } from "../../../app/server-text.tsx";
import { FailureNotice } from "../failure-notice.tsx";
import { namesFor } from "../names.ts";
import { SendLater } from "../send-later.tsx";
import type { Connecting } from "../use-connecting.ts";
import { CheckedRows } from "./checked-rows.tsx";
import { DropZone } from "./drop-zone.tsx";
import {
  type Edits,
  editsOver,
  noEdits,
  openQuestions,
  settingsOf,
  takenTwice,
  toInspect,
} from "./file-edits.ts";
import { FileList } from "./file-list.tsx";
import { inspectWithAnswers } from "./inspect-with-answers.ts";
import { type SavedAnswers, savedAnswers } from "./saved-answers.ts";
import { TableCard } from "./table-card.tsx";
import type { FileAnswers } from "./use-file-answers.ts";
import { type RefusedFile, uploadsPath, useUploads } from "./use-uploads.ts";

const useInspection = (files: readonly string[], edits: Edits, saved: SavedAnswers) => {
  const client = useClient();
  return useQuery({
    queryKey: [client.importId, "inspect", toInspect(files, edits), saved],
    queryFn: ({ signal }) =>
      inspectWithAnswers(files, edits, saved, async (body) =>
        valueOf(
          await client.request<WizardInspectedFiles>(`${uploadsPath}/inspect`, {
            method: "POST",
            body,
            signal,
          }),
        ),
      ),
    enabled: files.length > 0,
    placeholderData: keepPreviousData,
    retry: 1,
    staleTime: Infinity,
  });
};

const Refused = ({ refused }: { refused: readonly RefusedFile[] }) => {
  const { t } = useTranslation("files");
  return refused.map((each) => (
    <Notice key={each.name} tone="bad" icon={TriangleAlert} title={t("refused.title")} alert className="mt-4">
      <p>
        {each.why === "explained" ? <ServerText>{each.message}</ServerText> : t(`refused.${each.why}`, each)}
      </p>
    </Notice>
  ));
};

const Examples = ({
  examples,
}: {
  examples: readonly { readonly stream: string; readonly name: string }[];
}) => {
  const { t } = useTranslation("files");
  const client = useClient();
  return (
    <details className="more mt-4">
      <summary>{t("examples.title")}</summary>
      <p className="muted t14">{t("examples.text")}</p>
      <p className="row wrap mt-2">
        {examples.map(({ stream, name }) => (
          <a key={stream} href={client.address(`${uploadsPath}/examples/${stream}`)} download={name}>
            <span className="row">
              <Icon of={Download} size="s" />
              {name}
            </span>
          </a>
        ))}
      </p>
    </details>
  );
};

const zones = () => [...new Set(["UTC", ...Intl.supportedValuesOf("timeZone")])];
const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

const zoneIn = (values: Readonly<Record<string, unknown>>): string => {
  const { timeZone } = values;
  return typeof timeZone === "string" ? timeZone : ownZone();
};

/** With the settings that it is about: for others it means nothing. */
type Checking = { readonly of: string } & (
  | { readonly kind: "idle" | "checking" | "failed" }
  | { readonly kind: "checked"; readonly files: readonly WizardCheckedFile[] }
);

const idle: Checking = { kind: "idle", of: "" };

const useChecking = (of: string) => {
  const [last, set] = useState<Checking>(idle);
  const current = useRef(of);
  useEffect(() => {
    current.current = of;
  }, [of]);
  return { checking: last.of === of ? last : idle, set, isCurrent: () => current.current === of };
};

/** Uploads files, shows what they hold, has their first rows checked, and connects them. */
export const FilesForm = ({ connecting, answers }: { connecting: Connecting; answers: FileAnswers }) => {
  const { t } = useTranslation("files");
  const { t: say } = useTranslation("connect");
  const formats = useFormats();
  const client = useClient();
  const found = useImport();
  const state = found.sides.source;
  const { uploads, files, refused, add, remove } = useUploads();
  const [saved] = useState(() => savedAnswers(state.values));
  const timeZone = answers.timeZone ?? zoneIn(state.values);
  const [sending, setSending] = useState(false);
  const complete = files.filter(({ size, received, transfer }) => received >= size && transfer === null);
  const ids = complete.map(({ id }) => id);
  const { data, isFetching, isPlaceholderData, error } = useInspection(ids, answers.edits, saved);
  const inspected = (data?.files ?? []).filter(({ file }) => ids.includes(file));
  const edits: Edits = Object.fromEntries(
    inspected.map(({ file }) => [
      file,
      editsOver(data?.begun[file] ?? noEdits, answers.edits[file] ?? noEdits),
    ]),
  );
  const streams = data?.streams ?? [];
  const used = inspected.filter(({ stream, problem }) => stream !== null && problem === null);
  const twice = takenTwice(used);
  const open =
    used.reduce((sum, each) => sum + openQuestions(each, edits[each.file] ?? noEdits).length, 0) + twice.size;
  const nameOf = (file: string) => files.find(({ id }) => id === file)?.name ?? "";
  const settings = settingsOf(inspected, edits, timeZone);
  const of = JSON.stringify([ids, settings]);
  const { checking, set: setChecking, isCurrent } = useChecking(of);
  const check = async () => {
    setChecking({ kind: "checking", of });
    const outcome = await client.request<WizardCheckedFiles>(`${uploadsPath}/check`, {
      method: "POST",
      body: { settings },
    });
    // Changed meanwhile: it is checked again.
    if (!isCurrent()) return setChecking((before) => (before.of === of ? idle : before));
    if (outcome.kind !== "ok") return setChecking({ kind: "failed", of });
    const isGood = outcome.value.files.every(({ bad, problem }) => bad === 0 && problem === null);
    if (!isGood) return setChecking({ kind: "checked", of, files: outcome.value.files });
    setChecking(idle);
    await connecting.connect(settings);
  };
  const isUploading = files.some(({ transfer }) => transfer !== null);
  // Half a file is never left out in silence.
  const isPaused = files.some(({ size, received }) => received < size);
  const reason =
    files.length === 0
      ? t("actions.none")
      : isUploading
        ? t("actions.uploading")
        : isPaused
          ? t("actions.paused")
          : // What is shown is of before the last change: with it, the change would be lost.
            isPlaceholderData
            ? t("table.reading")
            : open > 0
              ? t("actions.open", { count: open })
              : used.length === 0
                ? t("actions.unread")
                : null;
  const failure = connecting.phase.kind === "failed" ? connecting.phase.failure : null;
  const isBlocked = checking.kind === "checked" && checking.files.some(({ problem }) => problem !== null);
  const finished = complete.filter(({ id }) => !inspected.some(({ file }) => file === id));
  return (
    <Page title={t("documentTitle")} width="mid">
      <PageHead
        title={t("title")}
        lead={found.may === "everything" ? t("lead") : t("admin", namesFor(found, "source"))}
      />
      {failure && (
        <div className="mb-4">
          <FailureNotice failure={failure} state={state} wayOut={null} />
        </div>
      )}
      <section className="card" aria-label={t("title")}>
        <div className="pad">
          {uploads ? (
            <DropZone fileBytes={uploads.limits.fileBytes} onFiles={(chosen) => void add(chosen)} />
          ) : (
            <Skeleton lines={3} marks={false} />
          )}
          <Examples examples={uploads?.examples ?? []} />
        </div>
        <FileList files={files} onRemove={remove} />
        <footer>
          <p className="row t14 muted">
            <Icon of={ShieldCheck} className="ok" />
            {t("safe", { count: found.retention.days.source })}
          </p>
        </footer>
      </section>
      <Refused refused={refused} />
      <p className="vh" role="status">
        {formats.list(complete.map(({ name }) => t("spoken.done", { name })))}
      </p>
      {inspected.map((each) => (
        <TableCard
          key={each.file}
          name={nameOf(each.file)}
          inspected={each}
          streams={streams}
          present={new Set(used.flatMap(({ stream }) => stream ?? []))}
          isTwice={each.stream !== null && twice.has(each.stream)}
          edits={edits[each.file] ?? noEdits}
          onEdit={(next) => answers.edit(each.file, next)}
        />
      ))}
      {finished.length > 0 && isFetching && <p className="mt-6 muted">{t("table.reading")}</p>}
      {(error !== null || checking.kind === "failed") && (
        <Notice tone="bad" icon={TriangleAlert} alert className="mt-6">
          <p>{t("checked.failed")}</p>
        </Notice>
      )}
      {used.length > 0 && (
        <section className="card pad mt-6" aria-label={t("zone.label")}>
          <Field label={t("zone.label")} hint={t("zone.hint")}>
            <Select
              value={timeZone}
              onChange={({ target }) => answers.setTimeZone(target.value)}
              options={zones().map((value) => ({ value, label: value.replaceAll("_", " ") }))}
            />
          </Field>
        </section>
      )}
      {checking.kind === "checked" && <CheckedRows checked={checking.files} nameOf={nameOf} />}
      {found.may === "everything" && (
        <p className="mt-6 muted t14">
          {say("form.notYou")}{" "}
          <button type="button" className="link" onClick={() => setSending(true)}>
            {say("form.sendToAdmin")}
          </button>
        </p>
      )}
      <Actions fixed={false}>
        <Button
          look="primary"
          busy={checking.kind === "checking"}
          disabledReason={reason}
          onClick={() => void check()}
        >
          {checking.kind === "checking"
            ? t("actions.checking")
            : checking.kind === "checked"
              ? t("actions.again")
              : t("actions.check")}
        </Button>
        {checking.kind === "checked" && !isBlocked && (
          <Button look="secondary" disabledReason={reason} onClick={() => void connecting.connect(settings)}>
            {t("actions.anyway")}
          </Button>
        )}
      </Actions>
      {sending && <SendLater side="source" onClose={() => setSending(false)} />}
    </Page>
  );
};

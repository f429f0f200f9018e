import type { WizardCause } from "@portage/contract/wizard";
import { RotateCcw } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../../ui/button.tsx";
import { Choice } from "../../../../ui/choice.tsx";
import { Notice } from "../../../../ui/notice.tsx";
import { Skeleton } from "../../../../ui/skeleton.tsx";
import "../../../../ui/styles/fix.css";
import { useFormats } from "../../../../ui/use-formats.ts";
import { ServerText } from "../../../app/server-text.tsx";
import { ScreenLink } from "../../../app/screen-link.tsx";
import type { MatchingStore, ReadyMatching } from "../../../matching/matching-store.ts";
import { NotGathered } from "../../../matching/not-gathered.tsx";
import { useMatching } from "../../../matching/use-matching.ts";
import { useNames } from "../../../matching/use-names.ts";
import { wordFieldLabel } from "../../fields/word-field-label.ts";
import { PersonPicker, personValue } from "../../people/person-picker.tsx";
import type { Later } from "../use-later.ts";
import { ChooseField, FillField } from "./field-parts.tsx";
import { FixPreviewList } from "./fix-preview-list.tsx";
import { changeOf, type Draft, type FixKind, fixOptions, noDraft } from "./fix-options.ts";

interface FixPanelProps {
  readonly stream: string;
  readonly cause: WizardCause;
  readonly later: Later;
  readonly onClose: () => void;
}

const NotSaved = ({ ready }: { ready: ReadyMatching }) => {
  const { t } = useTranslation("fix");
  const { saving } = ready;
  if (saving.kind !== "invalid" && saving.kind !== "failed" && saving.kind !== "conflict") return null;
  return (
    <Notice tone="warn" title={t("notSaved")} alert className="mt-4">
      {saving.kind === "invalid" &&
        saving.problems.slice(0, 3).map(({ path, message }) => (
          <p key={path.join("/")}>
            <ServerText>{message}</ServerText>
          </p>
        ))}
      <ScreenLink to="fields">{t("toMatching")}</ScreenLink>
    </Notice>
  );
};

interface ReadyProps extends FixPanelProps {
  readonly ready: ReadyMatching;
  readonly store: MatchingStore;
}

const Ready = ({ ready, store, stream, cause, later, onClose }: ReadyProps) => {
  const { t } = useTranslation("fix");
  const { t: tPeople } = useTranslation("people");
  const { t: tFields } = useTranslation("fields");
  const formats = useFormats();
  const names = useNames();
  const [draft, setDraft] = useState<Draft>(noDraft);
  const [busy, setBusy] = useState(false);
  // What was offered stays while the fix is saved.
  const [options] = useState(() => fixOptions(ready, stream));
  const change = changeOf(draft, options, stream);
  const set = (more: Partial<Draft>) => setDraft((before) => ({ ...before, ...more }));
  const kinds: readonly FixKind[] = [
    ...(options.fill.length > 0 ? (["fill"] as const) : []),
    ...(options.match.length > 0 ? (["match"] as const) : []),
    ...(options.person ? (["person"] as const) : []),
    ...(options.create.length > 0 ? (["create"] as const) : []),
    ...(options.leave.length > 0 ? (["leave"] as const) : []),
  ];
  const take = (kind: FixKind) => {
    const [only, ...others] = kind === "person" ? [] : options[kind];
    setDraft({ ...noDraft, kind, field: only && others.length === 0 ? only.key : null });
  };
  const below = (kind: FixKind) => {
    if (kind === "person")
      return (
        <PersonPicker
          label={t("person.who")}
          placeholder={tPeople("row.choose")}
          value={draft.personId === null ? null : personValue(draft.personId)}
          unknown={tPeople("row.unknown", names)}
          onChange={(value) => set({ personId: value.slice("person:".length) })}
        />
      );
    const fields =
      kind === "match"
        ? options.match.map(({ key, field, word }) => ({
            key,
            label: `${wordFieldLabel(tFields, field)}: ${word === "" ? tFields("words.empty") : word}`,
          }))
        : options[kind];
    return (
      <>
        <ChooseField
          label={t(`${kind}.which`, names)}
          fields={fields}
          value={draft.field}
          onChange={(field) => set({ field, value: "" })}
        />
        {kind === "match" && (
          <ChooseField
            label={t("match.to", names)}
            fields={(options.match.find(({ key }) => key === draft.field)?.known ?? []).map((each) => ({
              key: each.value,
              label: each.label,
            }))}
            value={draft.value === "" ? null : draft.value}
            onChange={(value) => set({ value })}
          />
        )}
        {kind === "fill" && (
          <FillField
            field={options.fill.find(({ key }) => key === draft.field)}
            value={draft.value}
            onChange={(value) => set({ value })}
          />
        )}
      </>
    );
  };
  const apply = async () => {
    if (!change) return;
    setBusy(true);
    store.edit(change);
    const isSaved = await store.flush();
    setBusy(false);
    if (isSaved) later.retryCause({ stream, code: cause.code });
  };
  if (kinds.length === 0)
    return (
      <p>
        {t("nothing", names)} <ScreenLink to="fields">{t("toMatching")}</ScreenLink>
      </p>
    );
  return (
    <>
      <Choice
        legend={t("legend", { count: cause.count, number: formats.count(cause.count) })}
        value={draft.kind}
        onChange={take}
        options={kinds.map((kind) => ({
          value: kind,
          label: t(`${kind}.label`, names),
          hint: t(`${kind}.hint`, names),
          ...(draft.kind === kind && { below: <div className="below-choice">{below(kind)}</div> }),
        }))}
      />
      {change && <FixPreviewList stream={stream} code={cause.code} mapping={change(ready.mapping)} />}
      <NotSaved ready={ready} />
      <div className="row wrap mt-4">
        {change && (
          <Button
            look="primary"
            icon={RotateCcw}
            busy={busy || later.busy === `${stream}|${cause.code}`}
            onClick={() => void apply()}
          >
            {t("apply", { count: cause.count, number: formats.count(cause.count) })}
          </Button>
        )}
        <Button look="quiet" onClick={onClose}>
          {t("close")}
        </Button>
      </div>
    </>
  );
};

/** Mends a cause once for all of its records: a choice, shown on some of them, then saved and retried. */
export const FixPanel = (props: FixPanelProps) => {
  const { t } = useTranslation("fix");
  const { state, store } = useMatching();
  const place = useRef<HTMLElement>(null);
  useEffect(() => place.current?.focus(), []);
  return (
    <section ref={place} className="fix-panel" tabIndex={-1} aria-label={t("title")}>
      {state.kind === "ready" ? (
        <Ready {...props} ready={state} store={store} />
      ) : state.kind === "failed" ? (
        <NotGathered problem={state.problem} again={() => void store.open()} />
      ) : (
        <Skeleton lines={3} marks={false} />
      )}
    </section>
  );
};

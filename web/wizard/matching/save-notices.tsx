import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import type { Change } from "./mapping-changes.ts";
import type { MatchingStore, ReadyMatching, Saving } from "./matching-store.ts";

const maxNamed = 5;

/** Names a change; undefined: this screen does not show it. */
export type NameOf = (change: Change) => string | undefined;

const useNameOf = (own: NameOf): ((change: Change) => string) => {
  const { t } = useTranslation("matching");
  return (change) => {
    const named = own(change);
    if (named !== undefined) return named;
    const [area, part = "", kind] = change.path;
    if (area === "selection") return t("conflict.selection");
    if (area === "people") return t(part === "rest" ? "conflict.rest" : "conflict.person");
    const last = change.path.at(-1) ?? "";
    return kind === "words" ? t("conflict.word", { word: last }) : t("conflict.field", { field: last });
  };
};

interface ConflictProps {
  readonly saving: Extract<Saving, { kind: "conflict" }>;
  readonly store: MatchingStore;
  readonly nameOf: NameOf;
}

/** Conflicting decisions of two people: both versions are kept until the customer chooses one. */
const Conflict = ({ saving, store, nameOf }: ConflictProps) => {
  const { t } = useTranslation("matching");
  const name = useNameOf(nameOf);
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => notice.current?.focus(), []);
  const { both } = saving.merge;
  return (
    <Notice ref={notice} tone="warn" title={t("conflict.title")} alert className="mb-6">
      <p>{t("conflict.text")}</p>
      <p className="mt-2">{t("conflict.both", { count: both.length })}</p>
      <ul className="list-disc ps-5">
        {both.slice(0, maxNamed).map((change) => (
          <li key={change.path.join("/")}>{name(change)}</li>
        ))}
        {both.length > maxNamed && <li>{t("conflict.andMore", { count: both.length - maxNamed })}</li>}
      </ul>
      <div className="row wrap mt-4">
        <Button onClick={() => void store.settle("mine")}>{t("conflict.mine")}</Button>
        <Button onClick={() => void store.settle("theirs")}>{t("conflict.theirs")}</Button>
      </div>
    </Notice>
  );
};

const Messages = ({ messages }: { messages: readonly string[] }) => (
  <ul className="list-disc ps-5">
    {[...new Set(messages)].slice(0, maxNamed).map((message) => (
      <li key={message}>{message}</li>
    ))}
  </ul>
);

interface SaveNoticesProps {
  readonly ready: ReadyMatching;
  readonly store: MatchingStore;
  readonly nameOf?: NameOf;
}

const noName: NameOf = () => undefined;

/** Results of saving that the customer should know or act on. */
export const SaveNotices = ({ ready, store, nameOf = noName }: SaveNoticesProps) => {
  const { t } = useTranslation("matching");
  const { saving, joined, warnings } = ready;
  return (
    <>
      {saving.kind === "conflict" && <Conflict saving={saving} store={store} nameOf={nameOf} />}
      {saving.kind === "invalid" && (
        <Notice
          tone="bad"
          title={t("invalid.title", { count: Math.max(1, saving.problems.length) })}
          alert
          className="mb-6"
        >
          <Messages messages={saving.problems.map(({ message }) => message)} />
          <p className="mt-2">{t("invalid.text")}</p>
        </Notice>
      )}
      {joined > 0 && saving.kind !== "conflict" && (
        <Notice tone="info" alert className="mb-6">
          <p>{t("joined", { count: joined })}</p>
        </Notice>
      )}
      {warnings.length > 0 && (
        <Notice tone="warn" title={t("warnings.title")} className="mb-6">
          <Messages messages={warnings.map(({ message }) => message)} />
        </Notice>
      )}
    </>
  );
};

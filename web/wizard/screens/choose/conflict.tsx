import type { ChoiceStream, WizardSelection } from "@portage/contract/wizard";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../ui/button.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { useFormats } from "../../../ui/use-formats.ts";
import { useKinds } from "../../app/use-kinds.ts";
import { isPrecise, limitsKey, movable } from "./selection.ts";

interface ConflictProps {
  readonly streams: readonly ChoiceStream[];
  readonly theirs: WizardSelection;
  readonly mine: WizardSelection;
  readonly onTheirs: () => void;
  readonly onMine: () => void;
}

const useWords = (streams: readonly ChoiceStream[]) => {
  const { t } = useTranslation("choose");
  const formats = useFormats();
  const { title } = useKinds();
  const all = movable(streams);
  const taken = ({ streams: names }: WizardSelection) =>
    all.filter(({ name }) => names?.includes(name) ?? true);
  return {
    describe: (selection: WizardSelection) =>
      [
        selection.streams === null
          ? t("conflict.everything")
          : t("conflict.onlyStreams", {
              names: formats.list(taken(selection).map(({ label }) => title(label))),
            }),
        selection.changedFrom === null
          ? null
          : t("conflict.withDate", { date: formats.date(selection.changedFrom) }),
        isPrecise(selection) ? t("conflict.withLimits") : null,
      ]
        .filter((each) => each !== null)
        .join(", "),
    differing: (a: WizardSelection, b: WizardSelection) => {
      const first = new Set(taken(a));
      const second = new Set(taken(b));
      return formats.list([
        ...all.filter((each) => first.has(each) !== second.has(each)).map(({ label }) => title(label)),
        ...(a.changedFrom === b.changedFrom ? [] : [t("conflict.date")]),
        ...(limitsKey({ ...a, changedFrom: null }) === limitsKey({ ...b, changedFrom: null })
          ? []
          : [t("conflict.limits")]),
      ]);
    },
  };
};

/** Two people chose at the same time: shows both choices and keeps them until the customer takes one. */
export const Conflict = ({ streams, theirs, mine, onTheirs, onMine }: ConflictProps) => {
  const { t } = useTranslation("choose");
  const words = useWords(streams);
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => notice.current?.focus(), []);
  return (
    <Notice ref={notice} tone="warn" title={t("conflict.title")} alert>
      <p>{t("conflict.text")}</p>
      <p className="mt-2">{t("conflict.differ", { names: words.differing(theirs, mine) })}</p>
      <dl className="mt-2">
        <dt className="font-semibold">{t("conflict.theirs")}</dt>
        <dd>{words.describe(theirs)}</dd>
        <dt className="mt-2 font-semibold">{t("conflict.mine")}</dt>
        <dd>{words.describe(mine)}</dd>
      </dl>
      <div className="row wrap mt-4">
        <Button onClick={onTheirs}>{t("conflict.keepTheirs")}</Button>
        <Button onClick={onMine}>{t("conflict.keepMine")}</Button>
      </div>
    </Notice>
  );
};

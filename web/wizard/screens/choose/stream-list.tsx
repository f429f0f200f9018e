import type { ChoiceStream, WizardImport, WizardKind } from "@portage/contract/wizard";
import { useTranslation } from "react-i18next";
import { EntityRow } from "../../../ui/entity-row.tsx";
import { Pill } from "../../../ui/pill.tsx";
import { useFormats } from "../../../ui/use-formats.ts";
import { streamIcon } from "../../app/stream-icon.ts";
import { useKinds } from "../../app/use-kinds.ts";
import { useCountText } from "./count-text.ts";
import { holds, keptOfComment, keptOfTicket, lossesOf } from "./kept.ts";
import { type Draft, inOrder, movable, neededBy, toggled } from "./selection.ts";

interface StreamListProps {
  readonly streams: readonly ChoiceStream[];
  readonly kinds: readonly WizardKind[];
  readonly family: WizardImport["family"];
  readonly draft: Draft;
  readonly names: { readonly source: string; readonly destination: string };
  readonly onChange: (draft: Draft) => void;
}

const plainTexts = ["attachments", "users", "organizations", "articles"] as const;
/** Kinds on which customers look for the original date and author. */
const withShownLosses: ReadonlySet<string> = new Set(["tickets", "comments", "tasks"]);

/** The text of a kind: only properties that its copies keep, and losses that customers would notice. */
const useKeptText = ({ kinds, names, family }: StreamListProps) => {
  const { t } = useTranslation("choose");
  const formats = useFormats();
  const promised = (kind: WizardKind): string | null => {
    const { name } = kind;
    if (name === "tickets") {
      const kept = keptOfTicket(kind).map((word) => t(`kept.${word}`));
      return kept.length > 0 ? t("texts.tickets", { list: formats.list(kept) }) : null;
    }
    if (name === "comments") {
      // Other families have no private comments.
      const text = family === "helpdesk" ? keptOfComment(kind) : null;
      return text && t(`texts.${text}`);
    }
    if (name === "contacts") return t(holds(kind, "emails") ? "texts.contacts" : "texts.contactsOnly");
    if (name === "groups") return t(holds(kind, "memberIds") ? "texts.groups" : "texts.groupsOnly");
    const plain = plainTexts.find((each) => each === name);
    return plain ? t(`texts.${plain}`) : null;
  };
  return (name: string): string | undefined => {
    const kind = kinds.find((each) => each.name === name);
    if (!kind) return undefined;
    const lost = withShownLosses.has(name) ? lossesOf(kind) : [];
    const said = [promised(kind), ...lost.map(({ loss, why }) => why ?? t(`lost.${loss}`, names))];
    return said.filter((each) => each !== null).join(" ") || undefined;
  };
};

const useTexts = (props: StreamListProps) => {
  const { streams, draft, names } = props;
  const { t } = useTranslation("choose");
  const formats = useFormats();
  const keptText = useKeptText(props);
  const { title, words } = useKinds();
  const labelOf = (name: string) => streams.find((each) => each.name === name)?.label ?? name;
  return {
    about: ({ name, missedBy }: ChoiceStream) => {
      const missing = missedBy.filter((each) => draft.chosen.has(each)).map(labelOf);
      if (!draft.chosen.has(name) && missing.length > 0)
        return t("missed", { names: formats.list(missing.map(words)) });
      return keptText(name);
    },
    locked: (stream: ChoiceStream) => {
      const needed = neededBy(stream.name, draft, streams);
      return needed.length > 0
        ? t("neededBy", { names: formats.list(needed.map(({ label }) => title(label))) })
        : undefined;
    },
    impossible: ({ moves, state, count }: ChoiceStream) => {
      const found = count === null ? "" : `${t("found", { amount: formats.count(count) })} `;
      const why = state === "refused" ? "refused" : moves === "not_taken" ? "not_taken" : "not_read";
      return `${found}${t(`why.${why}`, names)}`;
    },
  };
};

/** All kinds of records: their counts, their dependencies, and those that can't move. */
export const StreamList = (props: StreamListProps) => {
  const { streams, draft, onChange } = props;
  const { t } = useTranslation("choose");
  const { title } = useKinds();
  const countText = useCountText();
  const texts = useTexts(props);
  const can = new Set(movable(streams).map(({ name }) => name));
  return (
    <fieldset className="card">
      <legend className="vh">{t("legend")}</legend>
      <ul className="ents">
        {inOrder(streams).map((stream) => {
          const { name, label, parent } = stream;
          if (!can.has(name))
            return (
              <EntityRow
                key={name}
                icon={streamIcon(name)}
                name={title(label)}
                count={<Pill tone="idle">{t("cannot")}</Pill>}
                checked={false}
                locked={{ kind: "impossible", reason: texts.impossible(stream) }}
              />
            );
          const needed = texts.locked(stream);
          const text = needed === undefined ? texts.about(stream) : undefined;
          return (
            <EntityRow
              key={name}
              icon={streamIcon(name)}
              name={title(label)}
              {...countText(stream)}
              {...(text !== undefined && { text })}
              checked={draft.chosen.has(name)}
              child={parent !== null && can.has(parent)}
              {...(needed !== undefined && { locked: { kind: "needed", reason: needed } as const })}
              onChange={(on) => onChange(toggled(draft, name, on, streams))}
            />
          );
        })}
      </ul>
    </fieldset>
  );
};

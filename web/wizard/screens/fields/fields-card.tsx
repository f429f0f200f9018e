import type { WizardFieldChoice, WizardStreamFacts } from "@portage/contract/wizard";
import { Check, TriangleAlert } from "lucide-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { Input } from "../../../ui/input.tsx";
import { Pill } from "../../../ui/pill.tsx";
import { Select } from "../../../ui/select.tsx";
import { useFormats } from "../../../ui/use-formats.ts";
import { VirtualList } from "../../../ui/virtual-list.tsx";
import { useMeant } from "../../app/navigation.tsx";
import { useKinds } from "../../app/use-kinds.ts";
import type { MatchingStore, ReadyMatching } from "../../matching/matching-store.ts";
import { setField, setFields } from "./field-choice.ts";
import { FieldRow } from "./field-row.tsx";
import { type FieldOfStream, fieldRows, orderOf, takenBy } from "./field-rows.ts";
import { touchKey, type useTouched } from "../../matching/use-touched.ts";

interface FieldsCardProps {
  readonly ready: ReadyMatching;
  readonly store: MatchingStore;
  readonly stream: WizardStreamFacts;
  readonly touching: ReturnType<typeof useTouched>;
}

const shows = ["all", "open", "unused"] as const;
type Show = (typeof shows)[number];

const few = 10;
const rowHeight = 104;

/** The field of this stream that a link targets: "tickets.customFields.cf_5". */
const useMeantField = (stream: string): string | null => {
  const meant = useMeant();
  const before = `${stream}.customFields.`;
  return meant?.startsWith(before) ? meant.slice(before.length) : null;
};

const isShown = (show: Show, { confidence, field }: FieldOfStream) =>
  show === "all" || (show === "open" ? confidence === "open" : field.used === 0);

const isFound = (search: string, { field }: FieldOfStream) =>
  search === "" || `${field.label} ${field.key}`.toLowerCase().includes(search.toLowerCase());

const OpenPill = ({ open, total }: { open: number; total: number }) => {
  const { t } = useTranslation("fields");
  const formats = useFormats();
  const counts = { open: formats.count(open), total: formats.count(total) };
  return open === 0 ? (
    <Pill tone="ok" icon={Check}>
      {t("matched")}
    </Pill>
  ) : (
    <Pill tone="warn" icon={TriangleAlert}>
      {t(open === 1 ? "needs1" : "needs", counts)}
    </Pill>
  );
};

/** The custom fields of one kind of record. */
export const FieldsCard = ({ ready, store, stream, touching }: FieldsCardProps) => {
  const { t } = useTranslation("fields");
  const formats = useFormats();
  const { title } = useKinds();
  const { touched, touch } = touching;
  const [typed, setTyped] = useState("");
  const [show, setShow] = useState<Show>("all");
  const rows = useMemo(() => fieldRows(ready, stream, touched), [ready, stream, touched]);
  const [order] = useState(() => orderOf(rows));
  const taken = useMemo(() => takenBy(rows), [rows]);
  const byKey = new Map(rows.map((one) => [one.field.key, one]));
  const inOrder = order.flatMap((key) => byKey.get(key) ?? []);
  const items = inOrder.filter((one) => isFound(typed.trim(), one) && isShown(show, one));
  const open = rows.filter(({ confidence }) => confidence === "open");
  const unused = rows.filter(({ field, choice }) => field.used === 0 && choice?.as !== "nothing");
  const choose = (key: string) => (choice: WizardFieldChoice) => {
    touch([touchKey(stream.name, key)]);
    store.edit(setField(stream.name, key, choice));
  };
  const chooseAll = (all: readonly FieldOfStream[], as: "note" | "nothing") => {
    const keys = all.map(({ field }) => field.key);
    touch(keys.map((key) => touchKey(stream.name, key)));
    store.edit(setFields(stream.name, keys, as));
  };
  const isMany = rows.length > few;
  const meant = useMeantField(stream.name);
  return (
    <Card
      ruled
      title={t("card", { stream: title(stream.label) })}
      aside={<OpenPill open={open.length} total={rows.length} />}
    >
      {isMany && (
        <div className="tools">
          <Input
            type="search"
            className="grow"
            aria-label={t("find")}
            placeholder={t("find")}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
          <Select
            className="few"
            aria-label={t("show")}
            value={show}
            options={shows.map((each) => ({ value: each, label: t(`shows.${each}`) }))}
            onChange={(event) => setShow(event.target.value as Show)}
          />
          {open.length > 1 && (
            <Button onClick={() => chooseAll(open, "note")}>
              {t("noteAll", { count: open.length, shown: formats.count(open.length) })}
            </Button>
          )}
          {unused.length > 1 && stream.looked > 0 && (
            <Button look="quiet" onClick={() => chooseAll(unused, "nothing")}>
              {t("leaveUnused", { count: unused.length, shown: formats.count(unused.length) })}
            </Button>
          )}
        </div>
      )}
      {items.length === 0 ? (
        <p className="pad muted empty" role="status">
          {t("nothing")}
        </p>
      ) : (
        <VirtualList
          label={t("list", { stream: title(stream.label) })}
          className="maps"
          rowClassName={({ confidence }) => (confidence === "open" ? "ask" : undefined)}
          items={items}
          keyOf={({ field }) => field.key}
          rowHeight={rowHeight}
          meant={meant}
          render={(one) => (
            <FieldRow facts={stream} one={one} taken={taken} onChoose={choose(one.field.key)} />
          )}
        />
      )}
    </Card>
  );
};

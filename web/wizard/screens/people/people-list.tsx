import type { WizardPersonChoice, WizardShowPeople, WizardSourcePerson } from "@portage/contract/wizard";
import { type ReactNode, useDeferredValue, useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../ui/button.tsx";
import { Input } from "../../../ui/input.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Select } from "../../../ui/select.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { VirtualList } from "../../../ui/virtual-list.tsx";
import type { MatchingStore, ReadyMatching } from "../../matching/matching-store.ts";
import { touchKey, type useTouched } from "../../matching/use-touched.ts";
import { choiceOf, choose } from "./person-choice.ts";
import { PersonRow } from "./person-row.tsx";
import { usePeople } from "./use-people.ts";

interface PeopleListProps {
  readonly ready: ReadyMatching;
  readonly store: MatchingStore;
  readonly of: "open" | "likely" | "decided";
  /** Shows only these people of the list. */
  readonly only?: ReadonlySet<string>;
  /** The number of people without a search; short lists have no search field. */
  readonly total: number;
  /** Shown beside the search field. */
  readonly tools?: ReactNode;
  readonly empty: string;
  /** The id of the person that a link targets, if in this list. */
  readonly meant: string | null;
  readonly touching: ReturnType<typeof useTouched>;
}

const few = 10;
const rowHeight = 118;
const kinds = ["decided", "exact", "likely", "chosen"] as const;

const keyOf = ({ person }: WizardSourcePerson) => person.id;

/** The source's people with their matches; any number of them. */
export const PeopleList = ({
  ready,
  store,
  of,
  total,
  only,
  tools,
  empty,
  meant,
  touching,
}: PeopleListProps) => {
  const { t } = useTranslation("people");
  const [typed, setTyped] = useState("");
  const [show, setShow] = useState<WizardShowPeople>(of);
  const search = useDeferredValue(typed.trim());
  const { people: listed, error, more, hasMore, again } = usePeople(show, search, ready.reading);
  const people = useMemo(
    () => (only && listed ? listed.filter(({ person }) => only.has(person.id)) : listed),
    [listed, only],
  );
  const { mapping, facts } = ready;
  const { touched, touch } = touching;
  const onChoose = (id: string) => (choice: WizardPersonChoice) => {
    touch([touchKey("people", id)]);
    store.edit(choose(id, choice));
  };
  const isMany = total > few && of !== "likely";
  // A link to a person further down loads pages until that person appears.
  const isToCome = meant !== null && people !== null && !people.some(({ person }) => person.id === meant);
  useEffect(() => {
    if (isToCome) more();
  }, [isToCome, more]);
  return (
    <>
      {(isMany || tools !== undefined) && (
        <div className="tools">
          {isMany && (
            <Input
              type="search"
              className="grow"
              aria-label={t("find")}
              placeholder={t("find")}
              value={typed}
              maxLength={200}
              onChange={(event) => setTyped(event.target.value)}
            />
          )}
          {isMany && of === "decided" && (
            <Select
              className="few"
              aria-label={t("show")}
              value={show}
              options={kinds.map((kind) => ({ value: kind, label: t(`shows.${kind}`) }))}
              onChange={(event) => setShow(event.target.value as WizardShowPeople)}
            />
          )}
          {tools}
        </div>
      )}
      {error && (
        <Notice tone="warn" title={t("list.failed")} alert className="m-6">
          <Button onClick={again}>{t("list.again")}</Button>
        </Notice>
      )}
      {!people && !error && (
        <div className="pad">
          <Skeleton lines={4} />
        </div>
      )}
      {people?.length === 0 && (
        <p className="pad muted empty" role="status">
          {search === "" && show === of ? empty : t("list.nothing")}
        </p>
      )}
      {people && people.length > 0 && (
        <VirtualList
          label={t(`list.${of}`)}
          className="pairs"
          items={people}
          keyOf={keyOf}
          rowHeight={rowHeight}
          meant={meant}
          onNearEnd={more}
          total={search === "" && show === of && hasMore ? Math.max(total, people.length) : people.length}
          render={(one) => (
            <PersonRow
              one={one}
              choice={choiceOf(mapping, one.person.id)}
              canCopy={facts.people.canCopy}
              hasDefault={mapping.people.defaultId !== null}
              onChoose={onChoose(one.person.id)}
              isConfirmed={touched.has(touchKey("people", one.person.id))}
            />
          )}
        />
      )}
    </>
  );
};

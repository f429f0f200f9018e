import type { FamilyRecord, FamilyStream, FieldChange, Resolve } from "@portage/connector-kit";
import { compileFields, type MapFields } from "./compile-fields.ts";
import { resolveCreations } from "../model/created-fields.ts";
import type { Mapping, StreamMapping, WordChoice } from "../model/mapping.ts";
import { ownValue } from "../model/own-value.ts";
import { compilePeople, type PersonFor, type SourcePerson } from "./person-for.ts";
import { compileSelection } from "../model/selection.ts";
import { peopleStreamOf, valueOf, wordFieldsOf } from "../model/word-fields.ts";

export interface Mapped {
  readonly record: FamilyRecord;
  /** What was lost, in whole sentences that name labels and never values. */
  readonly changes: readonly FieldChange[];
}

/** Names of the source's people, for person fields that become texts. */
export interface PeopleNames {
  readonly nameOf: (sourceId: string) => string | null;
}

export interface CompiledMapping {
  /**
   * The record in the destination's words. Leaves references alone except custom fields that hold people: for people
   * written as records `resolve` answers the id; without it those fields are cleared.
   */
  apply(stream: FamilyStream, record: FamilyRecord, resolve?: Resolve): Mapped;
  personFor(source: SourcePerson): PersonFor;
  /** Whether the record is to be copied at all. */
  isSelected(stream: FamilyStream, record: FamilyRecord): boolean;
  /** The people that a record's custom fields name and that are written as records: the questions for `resolve`. */
  copiedPeopleIn(stream: FamilyStream, record: FamilyRecord): readonly SourcePerson[];
}

interface WordPlan {
  readonly field: string;
  readonly kindField: string | null;
  readonly choices: ReadonlyMap<string, WordChoice>;
  readonly leftOut: FieldChange;
}

interface StreamPlan {
  readonly words: readonly WordPlan[];
  readonly mapFields: MapFields;
  readonly personKeys: readonly string[];
}

const nothing: readonly FieldChange[] = [];
const none: readonly never[] = [];

const compileWords = (stream: FamilyStream, { words }: StreamMapping): readonly WordPlan[] =>
  wordFieldsOf(stream)
    .map(({ field, kindField }) => ({
      field,
      kindField,
      choices: new Map(Object.entries(ownValue(words, field) ?? {})),
      leftOut: { field, change: "cleared" as const, why: "This word is left behind, as you chose." },
    }))
    .filter(({ choices }) => choices.size > 0);

type Fields = Record<string, unknown>;

const changedWords = (
  plans: readonly WordPlan[],
  record: FamilyRecord,
  changes: FieldChange[],
): Fields | null => {
  let changed: Fields | null = null;
  for (const { field, kindField, choices, leftOut } of plans) {
    const word = valueOf(record, field) as string | null;
    const choice = choices.get(word ?? "");
    if (choice === undefined) continue;
    if (choice.to !== word) {
      changed ??= {};
      changed[field] = choice.to;
      if (choice.to === null) changes.push(leftOut);
    }
    if (kindField !== null && choice.kind !== null && valueOf(record, kindField) !== choice.kind) {
      changed ??= {};
      changed[kindField] = choice.kind;
    }
  }
  return changed;
};

export const compileMapping = (given: Mapping, people: PeopleNames | null = null): CompiledMapping => {
  const mapping = resolveCreations(given, []);
  const personFor = compilePeople(mapping);
  const isSelected = compileSelection(mapping);
  const plans = new Map<string, StreamPlan | null>();

  const compileStream = (stream: FamilyStream): StreamPlan | null => {
    const own = ownValue(mapping.streams, stream.name);
    if (!own) return null;
    const peopleStream = peopleStreamOf(stream.family).name;
    const answerFor = (id: string) => personFor({ stream: peopleStream, id });
    const mapFields = compileFields(own, {
      peopleStream,
      personOf: (id) => {
        const answer = answerFor(id);
        return answer.kind === "person" ? answer.id : null;
      },
      isCopied: (id) => answerFor(id).kind === "copy",
      nameOf: people?.nameOf ?? (() => null),
    });
    const personKeys = Object.entries(own.fields)
      .filter(
        ([key, choice]) =>
          choice.as === "field" &&
          ownValue(own.source, key)?.type === "person" &&
          ownValue(own.destination, choice.to)?.type === "person",
      )
      .map(([key]) => key);
    return { words: compileWords(stream, own), mapFields, personKeys };
  };

  const planOf = (stream: FamilyStream): StreamPlan | null => {
    const known = plans.get(stream.name);
    if (known !== undefined) return known;
    const plan = compileStream(stream);
    plans.set(stream.name, plan);
    return plan;
  };

  return {
    personFor,
    isSelected,
    apply(stream, record, resolve) {
      const plan = planOf(stream);
      if (plan === null) return { record, changes: nothing };
      const changes: FieldChange[] = [];
      const customFields = plan.mapFields(record.customFields, changes, resolve ?? null);
      const changed = changedWords(plan.words, record, changes);
      const isSame = changed === null && customFields === record.customFields;
      return {
        record: isSame ? record : { ...record, ...changed, customFields },
        changes: changes.length === 0 ? nothing : changes,
      };
    },
    copiedPeopleIn(stream, record) {
      const plan = planOf(stream);
      if (plan === null || plan.personKeys.length === 0) return none;
      const { name: peopleStream } = peopleStreamOf(stream.family);
      return plan.personKeys
        .flatMap((key) => ownValue(record.customFields, key) ?? [])
        .filter((id) => typeof id === "string")
        .map((id) => ({ stream: peopleStream, id }))
        .filter((person) => personFor(person).kind === "copy");
    },
  };
};

const compiled = new WeakMap<Mapping, CompiledMapping>();

/** Compiles a mapping at its first use and caches it for the mapping's lifetime: callers apply one to many records. */
const compiledOf = (mapping: Mapping): CompiledMapping => {
  const known = compiled.get(mapping) ?? compileMapping(mapping);
  compiled.set(mapping, known);
  return known;
};

export const applyMapping = (mapping: Mapping, stream: FamilyStream, record: FamilyRecord): Mapped =>
  compiledOf(mapping).apply(stream, record);

export const personFor = (mapping: Mapping, source: SourcePerson): PersonFor =>
  compiledOf(mapping).personFor(source);

export const isSelected = (mapping: Mapping, stream: FamilyStream, record: FamilyRecord): boolean =>
  compiledOf(mapping).isSelected(stream, record);

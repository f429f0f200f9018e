import {
  type Connector,
  type CustomField,
  type DestinationStream,
  familyStreams,
  type FamilyStream,
  type Io,
  isConnectorError,
  type Person,
  type SourceStream,
  type FieldOption,
} from "@portage/connector-kit";
import type { Family } from "@portage/contract";
import type { Facts, SourceField, StreamFacts } from "../model/facts.ts";
import { gatherPeople } from "./gather-people.ts";
import { type Look, type LookBounds, lookAtRecords } from "./look-at-records.ts";
import { isKey, isWord, maxEntries, maxPeople, toLabel } from "../model/mapping.ts";
import { suggestPeople } from "../suggest/suggest-people.ts";
import { fits, peopleStreamOf, wordFieldsOf } from "../model/word-fields.ts";

export interface ConnectedTool {
  readonly connector: Connector;
  readonly io: Io;
  /** Wraps every call to this side, so that the caller knows which of the two refused. */
  readonly asked?: <R>(question: () => Promise<R>) => Promise<R>;
}

/** Calls the tool through the side's wrapper. */
const ask = <R>({ io, asked }: ConnectedTool, question: (io: Io) => Promise<R>): Promise<R> =>
  asked ? asked(() => question(io)) : question(io);

export interface FactBounds extends LookBounds {
  readonly people: number;
}

const defaultBounds: FactBounds = { records: 1_000, pages: 20, words: 200, people: maxPeople };

const nothingSeen: Look = { looked: 0, all: false, words: {}, fields: new Map(), ids: [] };

/** Notes a tool's refusal and continues without the answer; throws errors that need a retry or a new sign-in. */
const orNote = async <T>(
  notes: string[],
  side: ConnectedTool,
  question: (io: Io) => Promise<T> | undefined,
  without: T,
): Promise<T> => {
  try {
    return (await ask(side, async (io) => question(io))) ?? without;
  } catch (error) {
    if (!isConnectorError(error) || error.recovery === "retry" || error.recovery === "reauthorize")
      throw error;
    notes.push(error.message);
    return without;
  }
};

/** The part of a tool's fields that a mapping can hold; keys and options it can't name are left to the connectors. */
const tidy = (fields: readonly CustomField[]): readonly CustomField[] =>
  fields
    .filter(({ key }) => isKey(key))
    .slice(0, maxEntries)
    .map(({ key, label, type, required, writable, options, maxLength }) => ({
      key,
      label: toLabel(label),
      type,
      required,
      writable,
      ...(options && {
        options: options
          .filter(({ value }) => isWord(value))
          .slice(0, maxEntries)
          .map((option) => ({ value: option.value, label: toLabel(option.label) })),
      }),
      ...(maxLength !== undefined && maxLength >= 1 && { maxLength: Math.floor(maxLength) }),
    }));

/** Declared fields, and undeclared ones that records hold. */
const sourceFieldsOf = (declared: readonly CustomField[], look: Look): readonly SourceField[] => {
  const keys = new Set(declared.map(({ key }) => key));
  const undeclared = [...look.fields]
    .filter(([key]) => !keys.has(key))
    .map(([key, { type }]): CustomField => ({ key, label: key, type, required: false, writable: true }));
  return [...declared, ...undeclared].slice(0, maxEntries).map((field) => ({
    ...field,
    used: look.fields.get(field.key)?.used ?? 0,
    samples: look.fields.get(field.key)?.samples ?? [],
  }));
};

/** Drops meanings that the family does not have. */
const knownWords = (
  stream: FamilyStream,
  words: Readonly<Record<string, readonly FieldOption[]>>,
): Readonly<Record<string, readonly FieldOption[]>> =>
  Object.fromEntries(
    wordFieldsOf(stream)
      .filter(({ field }) => Object.hasOwn(words, field))
      .map(({ field, kindField }) => [
        field,
        (words[field] ?? [])
          .filter(({ value }) => value !== "" && isWord(value))
          .map(({ value, label, kind }) => ({
            value,
            label: toLabel(label),
            ...(kind !== undefined && kindField !== null && fits(stream, kindField, kind) ? { kind } : {}),
          })),
      ]),
  );

/** Everything that a mapping between these two tools is made from; reads from both, writes to neither. */
export const gatherFacts = async (
  source: ConnectedTool,
  destination: ConnectedTool,
  family: Family,
  bounds: FactBounds = defaultBounds,
): Promise<Facts> => {
  const notes: string[] = [];
  const readable = new Map((source.connector.source?.[family] ?? []).map((each) => [each.stream.name, each]));
  const offered =
    (await ask(destination, async (io) => destination.connector.offers?.(io))) ??
    destination.connector.destination;
  const writable = new Map((offered?.[family] ?? []).map((each) => [each.stream.name, each]));
  const looks = new Map<string, Look>();
  let people: { source: readonly Person[]; complete: boolean } = { source: [], complete: true };

  const lookAt = async (from: SourceStream, to: DestinationStream | undefined): Promise<Look> => {
    if (from.stream.kind === "people") {
      const found = await ask(source, (io) => gatherPeople(from, io, bounds.people, bounds));
      people = { source: found.people, complete: found.complete };
      return found.look;
    }
    if (!to || from.stream.kind === "file") return nothingSeen;
    const parents = looks.get(from.perParent ?? "")?.ids ?? [];
    return ask(source, (io) => lookAtRecords(from, io, parents, bounds));
  };

  const factsOf = async (stream: FamilyStream): Promise<StreamFacts> => {
    const from = readable.get(stream.name);
    const to = writable.get(stream.name);
    const declared = tidy(await orNote(notes, source, (io) => from?.customFields?.(io), []));
    const destinationFields = tidy(await orNote(notes, destination, (io) => to?.customFields?.(io), []));
    const creatable = await orNote(notes, destination, (io) => to?.fieldSetup?.creatable(io), undefined);
    const isTelling =
      stream.kind === "people" ||
      declared.length + destinationFields.length + wordFieldsOf(stream).length > 0 ||
      [...readable.values()].some(({ perParent }) => perParent === stream.name);
    const look = from && isTelling ? await lookAt(from, to) : nothingSeen;
    looks.set(stream.name, look);
    const words = await orNote(notes, destination, (io) => to?.options?.(io), {});
    return {
      name: stream.name,
      readable: from !== undefined,
      writable: to !== undefined,
      looked: look.looked,
      all: look.all,
      sourceFields: sourceFieldsOf(declared, look),
      destinationFields,
      ...(creatable && {
        creatable: { types: creatable.types, ...(creatable.why && { why: creatable.why }) },
      }),
      words: look.words,
      destinationWords: knownWords(stream, words),
    };
  };

  const streams: StreamFacts[] = [];
  for (const stream of familyStreams[family]) streams.push(await factsOf(stream));
  const there = await orNote(
    notes,
    destination,
    (io) => writable.get(peopleStreamOf(family).name)?.people?.(io),
    [] as readonly Person[],
  );
  const known = there.filter(({ id }) => isKey(id)).slice(0, bounds.people);
  const suggestions = suggestPeople(people.source, known);
  return {
    family,
    streams,
    people: {
      source: people.source.flatMap((person, index) => {
        const suggestion = suggestions[index];
        return suggestion ? [{ person, suggestion }] : [];
      }),
      destination: known.map(({ id, name, email, active }) => ({ id, name, email, active })),
      complete: people.complete && known.length === there.length,
    },
    notes,
  };
};

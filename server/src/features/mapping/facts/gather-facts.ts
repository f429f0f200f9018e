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
  type Word,
} from "@portage/connector-kit";
import type { Family } from "@portage/contract";
import type { Facts, SourceField, StreamFacts } from "../model/facts.ts";
import { gatherPeople } from "./gather-people.ts";
import { type Look, type LookBounds, lookAtRecords } from "./look-at-records.ts";
import { isKey, isWord, mostEntries, mostPeople, toLabel } from "../model/mapping.ts";
import { suggestPeople } from "../suggest/suggest-people.ts";
import { fits, peopleStreamOf, wordFieldsOf } from "../model/word-fields.ts";

export interface Side {
  readonly connector: Connector;
  readonly io: Io;
  /** Stands around every question to this side, so that whoever asks can tell which of the two refused. */
  readonly asked?: <R>(question: () => Promise<R>) => Promise<R>;
}

/** Through what its owner has put around this side's questions. */
const ask = <R>({ io, asked }: Side, question: (io: Io) => Promise<R>): Promise<R> =>
  asked ? asked(() => question(io)) : question(io);

export interface FactBounds extends LookBounds {
  readonly people: number;
}

const defaultBounds: FactBounds = { records: 1_000, pages: 20, words: 200, people: mostPeople };

const nothingSeen: Look = { looked: 0, all: false, words: {}, fields: new Map(), ids: [] };

/** What a tool refuses to tell is noted and left out; what will pass, or needs a new sign-in, is thrown. */
const orNote = async <T>(
  notes: string[],
  side: Side,
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

/** What a mapping can hold of a tool's fields: keys and options that it can't name are left to the connectors. */
const tidy = (fields: readonly CustomField[]): readonly CustomField[] =>
  fields
    .filter(({ key }) => isKey(key))
    .slice(0, mostEntries)
    .map(({ key, label, type, required, writable, options, maxLength }) => ({
      key,
      label: toLabel(label),
      type,
      required,
      writable,
      ...(options && {
        options: options
          .filter(({ value }) => isWord(value))
          .slice(0, mostEntries)
          .map((option) => ({ value: option.value, label: toLabel(option.label) })),
      }),
      ...(maxLength !== undefined && maxLength >= 1 && { maxLength: Math.floor(maxLength) }),
    }));

/** Fields that the tool names, and such as it doesn't but that its records hold. */
const sourceFieldsOf = (declared: readonly CustomField[], look: Look): readonly SourceField[] => {
  const keys = new Set(declared.map(({ key }) => key));
  const undeclared = [...look.fields]
    .filter(([key]) => !keys.has(key))
    .map(([key, { type }]): CustomField => ({ key, label: key, type, required: false, writable: true }));
  return [...declared, ...undeclared].slice(0, mostEntries).map((field) => ({
    ...field,
    used: look.fields.get(field.key)?.used ?? 0,
    samples: look.fields.get(field.key)?.samples ?? [],
  }));
};

/** Without meanings that the family does not have. */
const knownWords = (
  stream: FamilyStream,
  words: Readonly<Record<string, readonly Word[]>>,
): Readonly<Record<string, readonly Word[]>> =>
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

/** Everything that a mapping between these two is made from; asks both tools, writes to neither. */
export const gatherFacts = async (
  source: Side,
  destination: Side,
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
    const isTelling =
      stream.kind === "people" ||
      declared.length + destinationFields.length + wordFieldsOf(stream).length > 0 ||
      [...readable.values()].some(({ perParent }) => perParent === stream.name);
    const look = from && isTelling ? await lookAt(from, to) : nothingSeen;
    looks.set(stream.name, look);
    const words = await orNote(notes, destination, (io) => to?.words?.(io), {});
    return {
      name: stream.name,
      readable: from !== undefined,
      writable: to !== undefined,
      looked: look.looked,
      all: look.all,
      sourceFields: sourceFieldsOf(declared, look),
      destinationFields,
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

import { setTimeout as wait } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { DestinationStream, Write } from "../destination.ts";
import { isConnectorError } from "../errors.ts";
import type { CustomField, CustomFieldType, CustomValue } from "../families/custom-field.ts";
import type { FamilyRecord } from "../families/stream.ts";
import type { FieldOutcome, FieldSetup, NewField } from "../field-setup.ts";
import type { Io } from "../io.ts";
import type { Removed } from "../removed.ts";
import { assert } from "./assert.ts";
import type { Check, Skipped } from "./check.ts";
import { interrupted, isChange, lostAnswer } from "./interrupted-transport.ts";
import type { Session } from "./session.ts";

/** No call needs as many requests; it only ends a loop of a broken connector. */
const maxRequests = 20;
const maxAttempts = 20;

/** A stream whose fields this account can create. */
interface CreatingStream {
  readonly stream: DestinationStream;
  readonly setup: FieldSetup;
  readonly types: readonly CustomFieldType[];
}

const creatingStreams = async (session: Session): Promise<readonly CreatingStream[]> => {
  const found: CreatingStream[] = [];
  for (const stream of session.destinations) {
    const { fieldSetup: setup } = stream;
    if (!setup) continue;
    const { types } = await setup.creatable(session.io());
    if (types.length > 0) found.push({ stream, setup, types });
  }
  return found;
};

const nothingToCreate: Skipped = { skipped: "the destination creates no fields" };

/** For the first stream with all of its types, for others with the first: a tool that can create one creates it everywhere. */
const eachCreating =
  (run: (session: Session, creating: CreatingStream) => Promise<void>): Check["run"] =>
  async (session) => {
    const all = await creatingStreams(session);
    if (all.length === 0) return nothingToCreate;
    const seen = new Set<CustomFieldType>();
    for (const creating of all) {
      const fresh = creating.types.filter((type) => !seen.has(type));
      for (const type of fresh) seen.add(type);
      await run(session, { ...creating, types: fresh.length > 0 ? fresh : creating.types.slice(0, 1) });
    }
    return undefined;
  };

/** Calls as the engine does: an unknown outcome is settled by a second call after the grace period. */
const settled = async <R extends FieldOutcome | Removed>(
  session: Session,
  call: (io: Io) => Promise<R>,
): Promise<Exclude<R, { kind: "unknown" }>> => {
  const { lateWriteMs, findLagMs } = session.subject.connector.manifest.grace;
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const outcome = await call(session.io()).catch((error: unknown) => {
      if (isConnectorError(error) && error.recovery === "retry") return null;
      throw error;
    });
    if (outcome && outcome.kind !== "unknown") return outcome as Exclude<R, { kind: "unknown" }>;
    await wait(lateWriteMs + findLagMs);
  }
  throw new Error("The outcome stays unknown.");
};

let made = 0;
const started = Date.now().toString(36);

const newField = (type: CustomFieldType): NewField => {
  made += 1;
  const mark = `c-${started}-${process.pid}-${made}`;
  const options = ["Red", "Green"].map((label) => ({ value: label.toLowerCase(), label }));
  const isChoice = type === "choice" || type === "choices";
  return { mark, label: `Check ${mark}`, type, ...(isChoice ? { options } : {}) };
};

const fieldsLabelled = async (session: Session, stream: DestinationStream, label: string) =>
  ((await stream.customFields?.(session.io())) ?? []).filter((field) => field.label === label);

const createField = async (
  session: Session,
  { setup, stream }: CreatingStream,
  field: NewField,
): Promise<CustomField> => {
  const outcome = await settled(session, (io) => setup.create(io, field));
  assert(outcome.kind === "created", `${stream.stream.name} ${field.type}: ${JSON.stringify(outcome)}`);
  return outcome.field;
};

const removeField = (session: Session, { setup }: CreatingStream, { mark }: NewField) =>
  settled(session, (io) => setup.remove(io, mark));

const valueFor = ({ type, options }: CustomField): CustomValue => {
  const [first = { value: "" }, second = { value: "" }] = options ?? [];
  const values: Readonly<Record<CustomFieldType, CustomValue>> = {
    text: "A value",
    "long-text": "A value",
    number: 42,
    boolean: true,
    date: "2021-03-04",
    moment: "2021-03-04T05:06:07.000Z",
    choice: first.value,
    choices: [first.value, second.value],
    link: "https://acme.example/a",
    person: null,
  };
  return values[type];
};

/** A record with a value in the field; null: the stream can have none. */
const writeValue = async (
  session: Session,
  { stream }: CreatingStream,
  { key }: CustomField,
  value: CustomValue,
): Promise<{ readonly write: Write<FamilyRecord>; readonly id: string } | null> => {
  const plain = await session.newWrite(stream);
  if (!plain) return null;
  const write = { ...plain, record: { ...plain.record, customFields: { [key]: value } } };
  const [outcome] = await session.write(stream, [write]);
  assert(outcome && "id" in outcome, `${stream.stream.name}: ${JSON.stringify(outcome)}`);
  return { write, id: outcome.id };
};

/** The destination creates the fields that a customer asks for, once each, and removes them without loss. */
export const fieldChecks: readonly Check[] = [
  {
    name: "field-once",
    shows: "creating a field twice leaves one, of the asked type",
    role: "destination",
    run: eachCreating(async (session, creating) => {
      const { stream, types } = creating;
      for (const type of types) {
        const field = newField(type);
        const name = `${stream.stream.name} ${type}`;
        const first = await createField(session, creating, field);
        const second = await createField(session, creating, field);
        const listed = await fieldsLabelled(session, stream, field.label);
        assert(listed.length === 1, `${name}: ${listed.length} fields after two calls.`);
        const [one] = listed;
        assert(
          one && one.key === first.key && one.key === second.key,
          `${name}: the outcome names another field.`,
        );
        assert(one.type === type && one.writable && !one.required, `${name}: ${JSON.stringify(one)}`);
        const labels = (given: NewField["options"]) => given?.map(({ label }) => label);
        assert(
          !field.options || isDeepStrictEqual(labels(one.options), labels(field.options)),
          `${name}: other options.`,
        );
        await removeField(session, creating, field);
      }
    }),
  },
  {
    name: "field-doubt",
    shows: "a field of whose creation any answer is lost exists once after a second call",
    role: "destination",
    after: ["field-once"],
    run: eachCreating(async (session, creating) => {
      const { stream, setup, types } = creating;
      const { transport, answerMs = 60_000 } = session.subject;
      const { lateWriteMs, findLagMs } = session.subject.connector.manifest.grace;
      const type = types.find((each) => each === "choice") ?? types[0] ?? "text";
      for (let position = 1; position < maxRequests; position += 1) {
        const field = newField(type);
        const name = `${stream.stream.name}, the answer to request ${position} is lost`;
        const fault = { transport, fault: lostAnswer, position, counts: isChange, repeats: false, answerMs };
        const through = interrupted(fault);
        const outcome = await setup
          .create(session.io(through, { attempts: 1 }), field)
          .catch((error: unknown) => {
            if (isConnectorError(error) && error.recovery === "retry") return null;
            throw error;
          });
        assert(outcome?.kind !== "rejected", `${name}: ${JSON.stringify(outcome)}`);
        await wait(findLagMs + (through.mayBeLate() ? lateWriteMs : 0));
        await createField(session, creating, field);
        const { length } = await fieldsLabelled(session, stream, field.label);
        assert(length === 1, `${name}: ${length} fields.`);
        await removeField(session, creating, field);
        if (through.faults() === 0) return;
      }
    }),
  },
  {
    name: "field-values",
    shows: "records hold values in a created field, and a field with values is kept",
    role: "destination",
    after: ["field-once"],
    run: eachCreating(async (session, creating) => {
      const { stream, types } = creating;
      for (const type of types) {
        const field = newField(type);
        const name = `${stream.stream.name} ${type}`;
        const created = await createField(session, creating, field);
        const value = valueFor(created);
        const copy = value === null ? null : await writeValue(session, creating, created, value);
        if (copy) {
          const [record] = await stream.read(session.io(), [copy.id]);
          const held = record?.customFields[created.key] ?? null;
          assert(
            isDeepStrictEqual(held, value),
            `${name}: ${JSON.stringify(held)} instead of ${JSON.stringify(value)}.`,
          );
          const kept = await removeField(session, creating, field);
          assert(kept.kind === "kept" && kept.message !== "", `${name}: removed with its values.`);
          const { length } = await fieldsLabelled(session, stream, field.label);
          assert(length === 1, `${name}: gone, though it was kept.`);
          await stream.remove?.(session.io(), [{ id: copy.id, key: copy.write.key }]);
        }
        await removeField(session, creating, field);
      }
    }),
  },
  {
    name: "field-remove",
    shows: "remove leaves nothing of a field without values, and no other field goes",
    role: "destination",
    after: ["field-once"],
    run: eachCreating(async (session, creating) => {
      const { stream, types } = creating;
      const type = types[0] ?? "text";
      const [mine, other] = [newField(type), newField(type)];
      for (const field of [mine, other]) await createField(session, creating, field);
      for (const call of ["first", "second"]) {
        const removed = await removeField(session, creating, mine);
        assert(removed.kind === "removed", `${stream.stream.name}, ${call} call: ${JSON.stringify(removed)}`);
      }
      const count = async ({ label }: NewField) => (await fieldsLabelled(session, stream, label)).length;
      assert((await count(mine)) === 0, `${stream.stream.name}: the field is still there.`);
      assert((await count(other)) === 1, `${stream.stream.name}: another field is gone.`);
      await removeField(session, creating, other);
    }),
  },
  {
    name: "key-field",
    shows: "the field for external keys exists once, and stays while a record has a key",
    role: "destination",
    async run(session) {
      const streams = session.destinations.filter(({ fieldSetup }) => fieldSetup?.createKeyField);
      if (streams.length === 0) return { skipped: "the destination creates no field for keys" };
      await session.written("plain");
      for (const { stream, fieldSetup: setup } of streams) {
        const { mark } = newField("text");
        const ensure = () =>
          settled(
            session,
            async (io) => (await setup?.createKeyField?.(io, mark)) ?? { kind: "unknown", why: "" },
          );
        const first = await ensure();
        assert(first.kind !== "rejected", `${stream.name}: ${JSON.stringify(first)}`);
        const removed = await settled(
          session,
          async (io) => (await setup?.remove(io, mark)) ?? { kind: "unknown", why: "" },
        );
        assert(
          removed.kind === (first.kind === "created" ? "kept" : "removed"),
          `${stream.name}: ${JSON.stringify(removed)} after it was ${first.kind}.`,
        );
        const second = await ensure();
        assert(
          second.kind === first.kind && second.field.key === first.field.key,
          `${stream.name}: another field for keys after a second call.`,
        );
      }
      return undefined;
    },
  },
];

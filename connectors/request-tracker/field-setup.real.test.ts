import { type FieldOutcome, helpdesk, type Io } from "@portage/connector-kit";
import type { Transport } from "@portage/connector-kit/http";
import { createPlainTransport, createTestIo } from "@portage/connector-kit/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { patienceMs } from "../../test/support/patience.ts";
import { createRtApi } from "../../test/tools/request-tracker/api.ts";
import {
  type RequestTracker,
  startRequestTracker,
} from "../../test/tools/request-tracker/request-tracker.ts";
import { ticketFieldSetup } from "./field-setup.ts";
import { requestTracker } from "./index.ts";
import type { RtSettings } from "./settings.ts";
import { ticketsDestination } from "./tickets-destination.ts";

const transport = createPlainTransport();
let tool: RequestTracker;
beforeAll(async () => {
  tool = await startRequestTracker();
}, patienceMs);
afterAll(async () => {
  await tool.stop();
  await transport.close();
});

const ioFor = (through: Transport = transport, externalIdField = "External ID"): Io<RtSettings> =>
  createTestIo({
    manifest: requestTracker.manifest,
    settings: { instanceUrl: tool.url, token: tool.token, externalIdField },
    transport: through,
    retry: { attempts: 1 },
  });

/** The answer to the request at this position, of those that change something, is lost. */
const losing = (position: number) => {
  let changes = 0;
  const through: Transport = {
    async send(request) {
      if (request.reads ?? request.method === "GET") return transport.send(request);
      changes += 1;
      const answer = await transport.send(request);
      if (changes !== position) return answer;
      for await (const _ of answer.body);
      throw Object.assign(new Error("The answer is lost."), { code: "unreachable", mayHaveArrived: true });
    },
  };
  return { through, changes: () => changes };
};

const options = ["Red", "Green"].map((label) => ({ value: label.toLowerCase(), label }));
const listed = async (label: string) =>
  ((await ticketsDestination.customFields?.(ioFor())) ?? []).filter((field) => field.label === label);
const keyOf = (outcome: FieldOutcome) => ("field" in outcome ? outcome.field.key : JSON.stringify(outcome));

const ticket = (customFields: Record<string, string | string[]>) =>
  helpdesk.tickets.make({ id: "1", subject: "A ticket", status: "open", statusKind: "open", customFields });

const writeTicket = async (io: Io<RtSettings>, key: string, fields: Record<string, string | string[]>) => {
  const [outcome] = await ticketsDestination.write(io, [{ key, id: null, record: ticket(fields) }]);
  if (outcome?.kind !== "written") throw new Error(JSON.stringify(outcome));
  return outcome.id;
};

test(
  "a list is created once, holds values, stays while a ticket has one, and goes and comes again",
  async () => {
    const field = { mark: "t-once", label: "Shade", type: "choice" as const, options };
    const { types } = await ticketFieldSetup.creatable(ioFor());
    expect(types).toEqual(["text", "long-text", "choice", "choices"]);
    const first = await ticketFieldSetup.create(ioFor(), field);
    expect(keyOf(await ticketFieldSetup.create(ioFor(), field))).toBe(keyOf(first));
    const [shade, ...others] = await listed("Shade");
    expect(others).toEqual([]);
    expect(shade).toMatchObject({ key: keyOf(first), type: "choice" });
    expect(shade?.options?.map(({ label }) => label)).toEqual(["Red", "Green"]);

    const id = await writeTicket(ioFor(), "k-1", { [keyOf(first)]: "Green" });
    const [copy] = await ticketsDestination.read(ioFor(), [id]);
    expect(copy?.customFields[keyOf(first)]).toBe("Green");
    expect(await ticketFieldSetup.remove(ioFor(), field.mark)).toMatchObject({
      kind: "kept",
      code: "field_in_use",
    });
    await ticketsDestination.remove?.(ioFor(), [{ id, key: "k-1" }]);
    for (const _ of ["first", "second"])
      expect(await ticketFieldSetup.remove(ioFor(), field.mark)).toEqual({ kind: "removed" });
    expect(await listed("Shade")).toEqual([]);
    expect(keyOf(await ticketFieldSetup.create(ioFor(), field))).toBe(keyOf(first));
    expect(await listed("Shade")).toHaveLength(1);
  },
  patienceMs,
);

test(
  "every type that it creates holds values as they were",
  async () => {
    const values = {
      text: "A value",
      "long-text": "Two\nlines",
      choice: "Red",
      choices: ["Red", "Green"],
    } as const;
    const customFields: Record<string, string | string[]> = {};
    const types: Record<string, string> = {};
    for (const [type, value] of Object.entries(values)) {
      const isChoice = type === "choice" || type === "choices";
      const outcome = await ticketFieldSetup.create(ioFor(), {
        mark: `t-type-${type}`,
        label: `A ${type}`,
        type: type as keyof typeof values,
        ...(isChoice ? { options } : {}),
      });
      customFields[keyOf(outcome)] = typeof value === "string" ? value : [...value];
      types[keyOf(outcome)] = type;
    }
    const listedTypes = (await ticketsDestination.customFields?.(ioFor()))
      ?.filter(({ key }) => key in types)
      .map(({ key, type }) => [key, type]);
    expect(Object.fromEntries(listedTypes ?? [])).toEqual(types);
    const id = await writeTicket(ioFor(), "k-types", customFields);
    const [copy] = await ticketsDestination.read(ioFor(), [id]);
    expect(copy?.customFields).toEqual(customFields);
  },
  patienceMs,
);

test(
  "whichever answer is lost, a second call leaves one field with all of its options",
  async () => {
    for (let position = 1; ; position += 1) {
      const label = `Lost ${position}`;
      const field = { mark: `t-lost-${position}`, label, type: "choices" as const, options };
      const { through, changes } = losing(position);
      const outcome = await ticketFieldSetup.create(ioFor(through), field);
      if (changes() < position) {
        expect(position).toBe(4);
        return;
      }
      expect(outcome.kind).toBe("unknown");
      expect((await ticketFieldSetup.create(ioFor(), field)).kind).toBe("created");
      const [one, ...others] = await listed(label);
      expect(others).toEqual([]);
      expect(one?.options?.map((option) => option.label)).toEqual(["Red", "Green"]);
    }
  },
  patienceMs,
);

test(
  "the field for keys is created where it is missing, and tickets are found by it",
  async () => {
    expect((await ticketFieldSetup.createKeyField?.(ioFor(), "t-key"))?.kind).toBe("found");
    const io = () => ioFor(transport, "Import key");
    await expect(writeTicket(io(), "k-2", {})).rejects.toThrow("no custom field “Import key”");
    const made = await ticketFieldSetup.createKeyField?.(io(), "t-key");
    expect(made).toMatchObject({ kind: "created", field: { label: "Import key" } });
    expect(await ticketFieldSetup.createKeyField?.(io(), "t-key")).toEqual(made);
    expect((await ticketFieldSetup.createKeyField?.(io(), "t-other"))?.kind).toBe("found");
    const id = await writeTicket(io(), "k-2", {});
    const found = await ticketsDestination.find(io(), [{ key: "k-2", since: new Date(0) }]);
    expect(found.get("k-2")).toEqual([id]);
    expect((await ticketFieldSetup.remove(io(), "t-key")).kind).toBe("kept");
    await ticketsDestination.remove?.(io(), [{ id, key: "k-2" }]);
    expect((await ticketFieldSetup.remove(io(), "t-key")).kind).toBe("removed");
  },
  patienceMs,
);

test(
  "an account without the rights gets an error that says so, and creates nothing",
  async () => {
    const password = "Agents-2026";
    const api = createRtApi(tool.url, tool.token, () => password);
    await api.call("POST", "user", { Name: "agent", Password: password, Privileged: 1 });
    const authorization = `Basic ${Buffer.from(`agent:${password}`).toString("base64")}`;
    const asAgent: Transport = {
      send: (request) => transport.send({ ...request, headers: { ...request.headers, authorization } }),
    };
    const creatable = await ticketFieldSetup.creatable(ioFor(asAgent));
    expect(creatable.types).toEqual([]);
    expect(creatable.why).toContain("AdminCustomField");
    const field = { mark: "t-agent", label: "Of an agent", type: "text" as const };
    expect((await ticketFieldSetup.create(ioFor(asAgent), field)).kind).toBe("rejected");
    expect(await listed("Of an agent")).toEqual([]);
    const key = await ticketFieldSetup.createKeyField?.(ioFor(asAgent, "No such field"), "t-agent-key");
    expect(key?.kind).toBe("rejected");
    // The question for rights created nothing either.
    expect(await listed("Portage")).toEqual([]);
  },
  patienceMs,
);

import { type Connector, ConnectorError, type DestinationStream } from "@portage/connector-kit";
import { destinationProtocol, redmine, requestTracker } from "@portage/connectors";
import type { WizardKind } from "@portage/contract/wizard";
import { describe, expect, test } from "vitest";
import { standInConnector } from "../../../../test/tools/stand-in/connector.ts";
import type { Opened } from "../connections/index.ts";
import { createToolRegistry } from "../tools/index.ts";
import { createFindKinds } from "./find-kinds.ts";

const standIn = standInConnector({ family: "helpdesk", paging: "keyset" }) as never as Connector;
const streams = standIn.destination?.helpdesk ?? [];
const changed = (change: (stream: DestinationStream) => DestinationStream) => ({
  helpdesk: streams.map(change),
});
const move = { id: "imp_1", family: "helpdesk", sourceTool: "stand-in" } as const;
const nothingOpen = async (): Promise<Opened> => ({ kind: "missing" });

const namedFrom = (kinds: readonly WizardKind[] | null) =>
  Object.fromEntries((kinds ?? []).map((kind) => [kind.name, kind]));

const kindsInto = async (connector: Connector, source: Connector = standIn) => {
  const to = { ...connector, manifest: { ...connector.manifest, name: "new" } };
  const find = createFindKinds({
    registry: createToolRegistry([source, to]),
    openSide: nothingOpen,
    destinationStreams: async () => [],
  });
  return namedFrom(await find({ ...move, destinationTool: "new" }));
};

describe("a tool that declares its streams is known before any sign-in", () => {
  test("the kinds match its declaration", async () => {
    expect((await kindsInto(standIn))["tickets"]).toEqual({
      name: "tickets",
      label: "Tickets",
      dropped: {},
      silent: true,
      backdates: true,
      keepsAuthor: true,
      removable: true,
    });
  });

  test.each([
    ["silent", { silent: false }],
    ["backdates", { backdates: false }],
    ["keeps-author", { keepsAuthor: false }],
  ] as const)("a tool that lacks %s for comments", async (guarantee, expected) => {
    const kinds = await kindsInto({
      ...standIn,
      destination: changed((each) =>
        each.stream.name === "comments"
          ? { ...each, guarantees: each.guarantees.filter((held) => held !== guarantee) }
          : each,
      ),
    });
    const all = { silent: true, backdates: true, keepsAuthor: true };
    expect(kinds["comments"]).toMatchObject({ ...all, ...expected });
    expect(kinds["tickets"]).toMatchObject(all);
  });

  test("a stream without authors promises none", async () => {
    expect((await kindsInto(standIn))["groups"]?.keepsAuthor).toBeNull();
  });

  test("a part is removable with its parent; any other stream needs a remove of its own", async () => {
    const without = (...names: string[]) => ({
      ...standIn,
      destination: changed((each) => {
        const { remove: _, ...rest } = each;
        return names.includes(each.stream.name) ? rest : each;
      }),
    });
    const removable = async (connector: Connector) =>
      Object.values(await kindsInto(connector))
        .filter((kind) => !kind.removable)
        .map(({ name }) => name);
    expect(await removable(without("comments"))).toEqual([]);
    expect(await removable(without("contacts"))).toEqual(["contacts"]);
    expect(await removable(without("comments", "tickets"))).toEqual(["tickets", "comments"]);
  });

  test("only streams that the source reads and the destination takes", async () => {
    const oneLess = { helpdesk: streams.filter(({ stream }) => stream.name !== "contacts") };
    expect(await kindsInto({ ...standIn, destination: oneLess })).not.toHaveProperty("contacts");
    const read = (standIn.source?.helpdesk ?? []).filter(({ stream }) => stream.name !== "articles");
    const reader = { ...standIn, source: { helpdesk: read } };
    expect(Object.keys(await kindsInto(standIn, reader))).not.toContain("articles");
  });

  test("Redmine sets its own dates and explains that the old ones are dropped", async () => {
    const { tickets } = await kindsInto(redmine);
    expect(tickets).toMatchObject({ silent: true, backdates: false, keepsAuthor: true, removable: true });
    expect(tickets?.dropped["createdAt"]).toContain("Redmine sets its own times");
    expect(tickets?.dropped).not.toHaveProperty("author.name");
  });

  test("Request Tracker keeps the date and author of tickets, but not of messages", async () => {
    const { tickets, comments } = await kindsInto(requestTracker);
    expect(tickets).toMatchObject({ backdates: true, keepsAuthor: true, removable: true });
    expect(comments).toMatchObject({ backdates: false, keepsAuthor: false, removable: true });
  });
});

describe("a tool that differs between instances", () => {
  const opened = { kind: "open", revision: 1 } as Extract<Opened, { kind: "open" }>;
  const asking = (
    destinationStreams: () => Promise<readonly DestinationStream[]>,
    openSide: () => Promise<Opened> = async () => opened,
  ) => {
    const registry = createToolRegistry([standIn, destinationProtocol]);
    const find = createFindKinds({ registry, openSide, destinationStreams, patienceMs: 50 });
    return () => find({ ...move, destinationTool: "destination-protocol" });
  };

  test("promises nothing before it is connected", async () => {
    expect(await asking(async () => streams, nothingOpen)()).toBeNull();
  });

  test("its own declaration counts", async () => {
    const tickets = streams.find(({ stream }) => stream.name === "tickets");
    const { remove: _, ...rest } = tickets ?? ({} as DestinationStream);
    const kinds = await asking(async () => [{ ...rest, guarantees: [] }])();
    expect(kinds).toEqual([
      expect.objectContaining({ name: "tickets", silent: false, backdates: false, removable: false }),
    ]);
  });

  test("delays no page when it does not answer, and is not asked by every page", async () => {
    const answer = Promise.withResolvers<readonly DestinationStream[]>();
    let asked = 0;
    const find = asking(() => {
      asked += 1;
      return answer.promise;
    });
    expect(await find()).toBeNull();
    expect(await find()).toBeNull();
    expect(asked).toBe(1);
    answer.resolve(streams);
    await expect.poll(async () => (await find())?.length).toBe(streams.length);
  });

  test("promises nothing on a connector error; other errors are thrown", async () => {
    const refused = new ConnectorError({ recovery: "retry", code: "down", message: "It is down." });
    expect(await asking(() => Promise.reject(refused))()).toBeNull();
    await expect(asking(() => Promise.reject(new TypeError("ours")))()).rejects.toThrow("ours");
  });
});

import type { Connector } from "@portage/connector-kit";
import { expect, test } from "vitest";
import { freshdesk, intercom, redmine, requestTracker, zendesk, znuny } from "../../connectors/index.ts";
import { atticDesk } from "../../examples/old-desk/src/connector.ts";
import { addressSettings } from "../../server/src/features/runs/old-links/keep-old-links.ts";
import { newAddressOf, oldRecord } from "../../server/src/features/runs/old-links/old-addresses.ts";
import type { OldLinkSettings } from "../../server/src/features/runs/old-links/store-old-links.ts";

const secret = "do-not-keep";

/** A tool as an import keeps it: without what signs in. */
const kept = (connector: unknown, settings: object) => {
  const tool = connector as Connector;
  const { auth } = tool.manifest;
  const { secrets } = auth.kind === "choice" ? auth.secret : (auth as { secrets: readonly string[] });
  const signIn = Object.fromEntries([...secrets, "username"].map((name) => [name, secret]));
  return { connector: tool, settings: addressSettings(tool.manifest, { ...signIn, ...settings }) };
};

const tools = {
  redmine: kept(redmine, { instanceUrl: "https://old.example/redmine" }),
  rt: kept(requestTracker, { instanceUrl: "https://rt.example" }),
  zendesk: kept(zendesk, { instanceUrl: "https://acme.zendesk.com" }),
  freshdesk: kept(freshdesk, { instanceUrl: "https://acme.freshdesk.com" }),
  intercom: kept(intercom, { instanceUrl: "https://app.intercom.com/a/apps/abc123" }),
  znuny: kept(znuny, { instanceUrl: "https://desk.example/znuny" }),
  attic: kept(atticDesk(), { instanceUrl: "https://attic.example" }),
};

test.each<[keyof typeof tools, string, string, string]>([
  ["redmine", "https://old.example/redmine/issues/123", "tickets", "123"],
  ["redmine", "http://old.example/redmine/issues/123/", "tickets", "123"],
  ["redmine", "#123", "tickets", "123"],
  ["rt", "https://rt.example/Ticket/Display.html?id=12", "tickets", "12"],
  ["rt", "https://rt.example/SelfService/Display.html?id=12", "tickets", "12"],
  ["zendesk", "https://acme.zendesk.com/agent/tickets/12", "tickets", "12"],
  ["zendesk", "https://acme.zendesk.com/hc/en-us/articles/360001-How-to", "articles", "360001"],
  ["freshdesk", "https://acme.freshdesk.com/a/tickets/12", "tickets", "12"],
  ["intercom", "https://app.intercom.com/a/inbox/abc123/inbox/conversation/12", "tickets", "12"],
  ["znuny", "https://desk.example/znuny/index.pl?Action=AgentTicketZoom;TicketID=42", "tickets", "42"],
  ["attic", "https://attic.example/tickets/12", "tickets", "12"],
  ["attic", "articles/4", "articles", "4"],
])("%s: %s is %s %s", (name, address, stream, id) => {
  expect(oldRecord({ ...tools[name], family: "helpdesk" }, address)).toEqual({ stream, id });
});

test.each(Object.entries(tools))(
  "%s: no other address, and nothing that signs in",
  (_, { connector, settings }) => {
    expect(JSON.stringify(settings)).not.toContain(secret);
    for (const address of [
      "https://evil.example/issues/1",
      "//evil.example/1",
      "passwords/1",
      "",
      "#",
      "1".repeat(3_000),
    ])
      expect(oldRecord({ connector, settings, family: "helpdesk" }, address)).toBeNull();
  },
);

const linksTo = (more: Partial<OldLinkSettings>) =>
  ({
    family: "helpdesk",
    destinationSettings: tools.rt.settings,
    destinationUrls: {},
    ...more,
  }) as OldLinkSettings;

test("a new address is the connector's own, or the text of the instance, and needs no more than the id", () => {
  const { connector } = tools.rt;
  const own = newAddressOf(connector, linksTo({}));
  expect(own("tickets", "12")).toBe("https://rt.example/Ticket/Display.html?id=12");
  // A comment's page is that of its ticket, which the id does not tell.
  expect(own("comments", "7")).toBeNull();
  expect(own("nothing", "7")).toBeNull();
  const from = (url: string) => newAddressOf(connector, linksTo({ destinationUrls: { tickets: url } }));
  expect(from("https://desk.example/t/{id}")("tickets", "a/b?")).toBe("https://desk.example/t/a%2Fb%3F");
  expect(from("https://desk.example/t/{parentId}/{id}")("tickets", "1")).toBeNull();
  expect(from("javascript:alert({id})")("tickets", "1")).toBeNull();
  expect(from("https://jo:pw@desk.example/{id}")("tickets", "1")).toBeNull();
});

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { differences } from "../journeys/moves/dump.ts";
import { freshdeskSide } from "./freshdesk/side.ts";
import { startFreshdesk } from "./freshdesk/stand-in.ts";
import { intercomSide } from "./intercom/side.ts";
import { startIntercom } from "./intercom/stand-in.ts";
import { type SideNeeds, vendorDestination, vendorSource } from "./kit/vendor-side.ts";
import { atStandIn } from "./packages/index.ts";
import { zendeskSide } from "./zendesk/side.ts";
import { startZendesk } from "./zendesk/stand-in.ts";

type AnySide = SideNeeds<{ readonly subject: string | null }>;

const starts: Readonly<Record<string, () => Promise<{ readonly side: AnySide; close(): Promise<void> }>>> = {
  zendesk: async () => {
    const zendesk = await startZendesk();
    return { side: zendeskSide(zendesk) as unknown as AnySide, close: zendesk.close };
  },
  freshdesk: async () => {
    const freshdesk = await startFreshdesk();
    return { side: freshdeskSide(freshdesk) as unknown as AnySide, close: freshdesk.close };
  },
  intercom: async () => {
    const intercom = await startIntercom();
    return { side: intercomSide(intercom) as unknown as AnySide, close: intercom.close };
  },
};

describe.each(Object.entries(starts))("%s in a journey", (tool, start) => {
  let side: AnySide;
  let close: () => Promise<void>;
  beforeAll(async () => {
    ({ side, close } = await start());
  });
  afterAll(() => close());

  test("as a source: people change, add and remove tickets meanwhile", async () => {
    const source = vendorSource(side, { changes: "Question 1", removes: "Question 2" });
    expect([source.tool, source.host]).toEqual([atStandIn(tool), new URL(side.url).host]);
    const before = await source.counts();
    const { changed, added, removed } = await source.meanwhile();
    expect([changed, added, removed].map(({ length }) => length)).toEqual([1, 1, 1]);
    expect(side.tickets.get(Number(removed[0]))?.deletedAt).not.toBeNull();
    const after = await source.counts();
    expect(after["tickets"]).toBe(before["tickets"]);
    // One comment came, and those of the removed ticket left.
    expect(after["comments"]).toBe((before["comments"] ?? 0) + 1 - 2);
  });

  test("as a destination: a person's edit stays until it is put back, and leaves no trace then", async () => {
    const destination = vendorDestination(side);
    const before = await destination.dump();
    const edited = await destination.edit("Question 4");
    expect(await edited.stays()).toBe(true);
    expect(differences(before, await destination.dump())).not.toEqual([]);
    await edited.putBack();
    expect(await edited.stays()).toBe(false);
    expect(differences(before, await destination.dump())).toEqual([]);
  });
});

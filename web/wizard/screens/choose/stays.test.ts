import type { ChoiceStream } from "@portage/contract/wizard";
import { createElement } from "react";
import { beforeAll, expect, test } from "vitest";
import { createI18n } from "../../i18n/create-i18n.ts";
import { english } from "../../i18n/languages.ts";
import { renderPage } from "../../testing/render-page.ts";
import { draftOf } from "./selection.ts";
import { Stays } from "./stays.tsx";

beforeAll(async () => {
  const i18n = await createI18n(english);
  await i18n.loadNamespaces(["choose", "kinds"]);
});

const everything = {
  streams: null,
  createdFrom: null,
  createdBefore: null,
  changedFrom: null,
  changedBefore: null,
  statuses: null,
  groups: null,
  tags: null,
};

const shownFor = (stream: Partial<ChoiceStream>): string => {
  const tickets: ChoiceStream = {
    name: "tickets",
    label: "Tickets",
    state: "counted",
    count: 30,
    exact: true,
    bytes: null,
    moves: "yes",
    leavesOut: null,
    parent: null,
    requires: [],
    missedBy: [],
    ...stream,
  };
  return renderPage(
    createElement(Stays, {
      streams: [tickets],
      draft: draftOf(everything, [tickets]),
      counts: null,
      isCounting: false,
      names: { source: "Old Desk", destination: "Acme Desk" },
      isLimited: () => false,
    }),
  );
};

const archived = "Archived tickets are not moved.";

test.each([30, 0])(
  "what the old tool does not hand out of a kind is listed before the move: of %i",
  (count) => {
    expect(shownFor({ count })).not.toContain(archived);
    const shown = shownFor({ count, leavesOut: archived });
    expect(shown).toContain(archived);
    expect(shown).toContain("number not known");
  },
);

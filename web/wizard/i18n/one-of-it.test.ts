import { createInstance } from "i18next";
import { beforeAll, expect, test } from "vitest";
import choose from "./en/choose.json" with { type: "json" };
import connect from "./en/connect.json" with { type: "json" };
import done from "./en/done.json" with { type: "json" };
import people from "./en/people.json" with { type: "json" };
import review from "./en/review.json" with { type: "json" };
import running from "./en/running.json" with { type: "json" };
import undo from "./en/undo.json" with { type: "json" };

/** Untyped: the test looks up the keys that it lists. */
type Say = (key: string, values: Readonly<Record<string, unknown>>) => string;

let say: Say;
beforeAll(async () => {
  const i18n = createInstance();
  await i18n.init({
    lng: "en",
    interpolation: { escapeValue: false },
    resources: { en: { choose, connect, done, people, review, running, undo } },
  });
  say = i18n.t as unknown as Say;
});

const names = { destination: "Acme Desk", source: "Zendesk" };
const one = {
  count: 1,
  number: "1",
  amount: "1",
  total: "1",
  done: "1",
  there: "1",
  all: "1",
  kind: "agent",
};
const two = {
  count: 2,
  number: "2",
  amount: "2",
  total: "2",
  done: "1",
  there: "2",
  all: "2",
  kind: "agents",
};

test.each([
  ["choose:files", "1 file", "2 files"],
  ["connect:expired.of", "1 of 1 record", "1 of 2 records"],
  ["done:leadAll", "The one record that we found is in Acme Desk.", "All 2 records are in Acme Desk."],
  [
    "done:list.error",
    "The list couldn't be read. 1 record is shown.",
    "The list couldn't be read. 2 records are shown.",
  ],
  [
    "people:lead.all",
    "The one person of your team has their place.",
    "All 2 of your people have their place.",
  ],
  ["review:lead.there", "1 of 1 agent is in Acme Desk.", "2 of 2 agents are in Acme Desk."],
  ["review:lead.exact", "It arrived exactly as matched.", "They arrived exactly as matched."],
  ["running:byKind.all", "1", "All 2"],
  ["running:byKind.allRemoved", "1 removed", "All 2 removed"],
  ["undo:confirm.matched", "1 agent that was there before", "2 agents that were there before"],
  [
    "undo:confirm.notRemovable",
    "1 agent: Acme Desk has no way to remove it",
    "2 agents: Acme Desk has no way to remove them",
  ],
  [
    "undo:confirm.editedAbout",
    "About 1 copied record was edited by your team, or is used elsewhere",
    "About 2 copied records were edited by your team, or are used elsewhere",
  ],
])("%s has a correct singular", (key, ofOne, ofTwo) => {
  expect(say(key, { ...names, ...one })).toBe(ofOne);
  expect(say(key, { ...names, ...two })).toBe(ofTwo);
});

import { helpdesk } from "@portage/connector-kit";
import fc from "fast-check";
import { expect, test } from "vitest";
import { mappingSchema } from "../model/mapping.ts";
import { anyTicket } from "../testing/arbitraries.ts";
import { compileMapping } from "./compile-mapping.ts";
import { makesSame } from "./makes-same.ts";

const { tickets, users } = helpdesk;
const compiled = (given: object = {}) => compileMapping(mappingSchema.parse(given));
const word = (to: string) => compiled({ streams: { tickets: { words: { status: { New: { to } } } } } });
const person = (id: string) => compiled({ people: { choices: { "7": { to: "person", id } } } });
const [sampled] = fc.sample(anyTicket, { numRuns: 1, seed: 1 });
const ticket = (fields: object) => ({ ...sampled, customFields: {}, ...fields }) as never;

test("only records with the value that is matched otherwise come out otherwise", () => {
  expect(makesSame(word("Open"), word("Closed"), tickets, ticket({ status: "New" }))).toBe(false);
  expect(makesSame(word("Open"), word("Closed"), tickets, ticket({ status: "Old" }))).toBe(true);
});

test("only records that name the person who is matched otherwise come out otherwise", () => {
  const who = (id: string) => ({ stream: "users", id, name: "Anna", email: null });
  const withoutPeople = { author: null, requester: null, followers: [] };
  const assigned = (id: string) => ticket({ ...withoutPeople, assignee: who(id) });
  expect(makesSame(person("1"), person("2"), tickets, assigned("7"))).toBe(false);
  expect(makesSame(person("1"), person("2"), tickets, assigned("8"))).toBe(true);
  expect(makesSame(person("1"), person("2"), users, { id: "7", customFields: {} } as never)).toBe(false);
  expect(makesSame(person("1"), person("2"), users, { id: "8", customFields: {} } as never)).toBe(true);
});

test("a link to a person in a text leads to whoever that person is matched with", () => {
  const linked = (id: string) =>
    ticket({
      author: null,
      requester: null,
      assignee: null,
      followers: [],
      description: {
        format: "html",
        text: `<a href="https://old.example/users/${id}">Anna</a>`,
        references: [{ kind: "link", url: `https://old.example/users/${id}`, to: { stream: "users", id } }],
      },
    });
  expect(makesSame(person("1"), person("2"), tickets, linked("7"))).toBe(false);
  expect(makesSame(person("1"), person("2"), tickets, linked("8"))).toBe(true);
});

test("a person who is copied is not the one in the new tool who has the same id", () => {
  const own = { fields: { f: { as: "field", to: "g" } } };
  const shape = { label: "Lead", type: "person" };
  const streams = { tickets: { ...own, source: { f: shape }, destination: { g: shape } } };
  const copied = compiled({ streams, people: { unmatched: "copy" } });
  const matched = compiled({ streams, people: { choices: { "7": { to: "person", id: "7" } } } });
  const record = ticket({
    author: null,
    requester: null,
    assignee: null,
    followers: [],
    customFields: { f: "7" },
  });
  expect(makesSame(copied, matched, tickets, record)).toBe(false);
  expect(makesSame(copied, copied, tickets, record)).toBe(true);
});

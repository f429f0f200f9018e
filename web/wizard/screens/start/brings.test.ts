import type { WizardKind } from "@portage/contract/wizard";
import { expect, test } from "vitest";
import { brings } from "./brings.ts";

const kinds = (...names: string[]) => names.map((name) => ({ name }) as WizardKind);

test("promises only kinds that can be moved", () => {
  expect(brings({ family: "helpdesk", kinds: kinds("comments", "tickets", "contacts", "groups") })).toEqual([
    "tickets",
    "customers",
    "conversations",
  ]);
  expect(brings({ family: "helpdesk", kinds: kinds("tickets", "comments") })).toEqual([
    "tickets",
    "conversations",
  ]);
  expect(brings({ family: "crm", kinds: kinds("contacts", "deals") })).toEqual(["contacts", "deals"]);
});

test("promises nothing for unknown kinds or families without texts", () => {
  expect(brings({ family: "helpdesk", kinds: null })).toEqual([]);
  expect(brings({ family: "projects", kinds: kinds("tasks") })).toEqual([]);
});

import type { WizardKind } from "@portage/contract/wizard";
import { expect, test } from "vitest";
import { brings } from "./brings.ts";

const kinds = (...names: string[]) => names.map((name) => ({ name }) as WizardKind);

test("only what can be moved is promised", () => {
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

test("nothing where it is not known, or where there are no words for it", () => {
  expect(brings({ family: "helpdesk", kinds: null })).toEqual([]);
  expect(brings({ family: "projects", kinds: kinds("tasks") })).toEqual([]);
});

import { destinationProtocol, redmine } from "@portage/connectors";
import { expect, test } from "vitest";
import { labelFor, namedFor } from "./named-for.ts";
import { createToolRegistry } from "./registry.ts";

const registry = createToolRegistry([redmine, destinationProtocol]);

test("only the partner's own application takes the partner's name", () => {
  expect(labelFor(registry, "destination-protocol", "Acme Desk")).toBe("Acme Desk");
  expect(labelFor(registry, "redmine", "Acme Desk")).toBe("Redmine");
  expect(labelFor(registry, "gone", "Acme Desk")).toBe("gone");
});

test("only the label changes, and the installed connector keeps its own", () => {
  const { label, ...rest } = namedFor(destinationProtocol, "Acme Desk").manifest;
  expect(label).toBe("Acme Desk");
  expect({ ...rest, label: "Destination protocol" }).toEqual(destinationProtocol.manifest);
});

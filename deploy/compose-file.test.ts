import { expect, test } from "vitest";
import { fillIn, readCompose } from "./compose-file.ts";

test("variables are filled in as Compose does", () => {
  const text = "${SET} ${SET:-other} ${UNSET} ${UNSET:-other} ${EMPTY:-other} $$status";
  expect(fillIn(text, { SET: "a", EMPTY: "" })).toBe("a a  other other $status");
  expect(() => fillIn("${UNSET:?set it in .env}", {})).toThrow("UNSET is missing: set it in .env");
});

test("anchors are merged, and a service's own values win", () => {
  const { services } = readCompose("x: &x {image: a, user: b}\nservices: {s: {<<: *x, user: c}}");
  expect(services).toEqual({ s: { image: "a", user: "c" } });
});

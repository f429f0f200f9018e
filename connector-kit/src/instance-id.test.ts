import { expect, test } from "vitest";
import { instanceId } from "./instance-id.ts";

test.each([
  ["https://desk.example", "desk.example"],
  ["https://Desk.Example:443/", "desk.example"],
  ["http://desk.example:8080/", "desk.example:8080"],
  ["https://desk.example/support", "desk.example/support"],
  ["https://desk.example/support/", "desk.example/support"],
  ["https://desk.example//a//b/?x=1#top", "desk.example/a/b"],
])("%s is %s", (url, id) => {
  expect(instanceId(url)).toBe(id);
});

import { expect, test } from "vitest";
import { withGenerated } from "./generated-part.ts";

const page = "# Page\n<!-- tools, generated -->\nold\n<!-- end of tools -->\nrest\n";

test("replaces what is between the marks, and nothing else", () => {
  const made = withGenerated(page, "tools", "new");
  expect(made).toBe("# Page\n<!-- tools, generated -->\n\nnew\n\n<!-- end of tools -->\nrest\n");
  expect(withGenerated(made, "tools", "new")).toBe(made);
});

test("a page without the marks is refused", () => {
  expect(() => withGenerated("# Page\n", "tools", "new")).toThrow("no place for its tools");
});

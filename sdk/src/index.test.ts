import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const wireTypes = (file: string, statement: "import" | "export") => {
  const text = readFileSync(join(import.meta.dirname, file), "utf8");
  const [, names = ""] = new RegExp(`${statement} type \\{([^}]*)\\} from "./wire.ts"`).exec(text) ?? [];
  return names
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
};

test("a caller can name every type that the client's calls take and return", () => {
  const named = wireTypes("portage.ts", "import");
  expect(named.length).toBeGreaterThan(10);
  expect(wireTypes("index.ts", "export")).toEqual(expect.arrayContaining(named));
});

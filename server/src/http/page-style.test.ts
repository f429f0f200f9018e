import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { pageTokens } from "./page-style.ts";

const stylesheet = readFileSync(join(import.meta.dirname, "../../../web/ui/styles/tokens.css"), "utf8");
const [light = "", dark = ""] = stylesheet.split("@media (prefers-color-scheme: dark)");

const tokenOf = (scheme: string, name: string) => new RegExp(`--${name}: ([^;]+);`).exec(scheme)?.[1];

test.each(Object.entries(pageTokens))("%s is the wizard's, light and dark", (name, values) => {
  expect(values).toEqual([tokenOf(light, name), tokenOf(dark, name)]);
});

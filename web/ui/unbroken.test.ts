import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { unbroken } from "./unbroken.tsx";

test("a word with a hyphen stays on one line, and the text stays the same", () => {
  const kept = (word: string) => `<span class="whitespace-nowrap">${word}</span>`;
  expect(renderToStaticMarkup(unbroken("Waiting for your sign-in"))).toBe(
    `Waiting for your ${kept("sign-in")}`,
  );
  expect(unbroken("No such word - none")).toBe("No such word - none");
  expect(renderToStaticMarkup(unbroken("Donaudampfschiff-Gesellschaft"))).toBe(
    "Donaudampfschiff-Gesellschaft",
  );
});

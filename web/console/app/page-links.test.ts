import { expect, test } from "vitest";
import { pageLinks } from "./page-links.ts";

const at = (text: string) => ({ path: "/billing", query: new URLSearchParams(text), name: "books" });

test("a page that is full is the last one, if the API says so; a later one leads back", () => {
  expect(pageLinks(at(""), null)).toEqual({ first: null, next: null });
  expect(pageLinks(at(""), "bok_9")).toEqual({ first: null, next: "/billing?books=bok_9" });
  expect(pageLinks(at("books=bok_9"), null)).toEqual({ first: "/billing", next: null });
});

test("another list of the screen stays where it is", () => {
  expect(pageLinks(at("disputes=a%26b&books=bok_9"), "bok_5")).toEqual({
    first: "/billing?disputes=a%26b",
    next: "/billing?disputes=a%26b&books=bok_5",
  });
});

import { describe, expect, test } from "vitest";
import { createAnswerCheck } from "./check-answer.ts";
import type { HttpCase } from "./http-case.ts";

const check = createAnswerCheck({
  paths: { "/tools": { get: { responses: { "200": {} } } } },
  components: {},
});

const link: HttpCase = {
  kind: "stray address",
  operation: null,
  bytes: "GET /imports/imp_o/l HTTP/1.1\r\n\r\n",
  isHead: false,
  wanted: 1,
  halfClose: false,
};
const answer = (status: number, headers: Record<string, string> = {}) => ({
  status,
  headers: new Map([
    ...Object.entries({ "x-request-id": "r", "cache-control": "no-store" }),
    ...Object.entries(headers),
  ]),
  body: "",
});
const ownPage = { location: "/imports/imp_o", "set-cookie": "s=1; HttpOnly" };

describe("the customer's link", () => {
  test("redirects to the import's own page with a session", () => {
    expect(check(link, answer(303, ownPage))).toBeUndefined();
    const looking = answer(303, { location: "/imports/imp_o" });
    expect(check({ ...link, isHead: true }, looking)).toBeUndefined();
  });

  test.each([
    ["a link that leads elsewhere", { ...ownPage, location: "https://evil.example/" }],
    ["no Cache-Control: no-store", { ...ownPage, "cache-control": "private" }],
    ["a session that scripts can read", { ...ownPage, "set-cookie": "s=1" }],
  ])("%s is found", (wrong, headers) => {
    expect(check(link, answer(303, headers))).toBe(wrong);
  });

  test("shows a separate page when the import was canceled", () => {
    const page = { "content-type": "text/html; charset=utf-8" };
    expect(check(link, answer(410, page))).toBeUndefined();
    expect(check({ ...link, operation: "GET /tools" }, answer(410, page))).toBe("undocumented status");
  });

  test("opens no session for a HEAD request", () => {
    expect(check({ ...link, isHead: true }, answer(303, ownPage))).toBe("a session for a HEAD request");
  });
});

test("the landing page is HTML, an operation is not", () => {
  const page = { "content-type": "text/html; charset=utf-8" };
  expect(check({ ...link, bytes: "GET / HTTP/1.1\r\n\r\n" }, answer(200, page))).toBeUndefined();
  expect(check({ ...link, bytes: "GET /api HTTP/1.1\r\n\r\n" }, answer(200, page))).toBe("HTML");
});

test("no other address may redirect", () => {
  const other = { ...link, bytes: "GET /api/v2.1/x HTTP/1.1\r\n\r\n" };
  expect(check(other, answer(303, ownPage))).toBe("undocumented status");
  expect(check({ ...link, operation: "GET /tools" }, answer(303, ownPage))).toBe("undocumented status");
});

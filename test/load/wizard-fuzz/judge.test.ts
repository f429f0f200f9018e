import { expect, test } from "vitest";
import { judgeAnswer } from "./judge.ts";
import { readRouteTree } from "./routes.ts";

const own = "mark-aaaaaaaaaaaa-x";
const other = "mark-bbbbbbbbbbbb-x";
const foreign = { opens: false, isGuarded: true, own };
const mine = { opens: true, isGuarded: true, own };

test.each([
  [mine, { status: 200, text: own }, undefined],
  [mine, { status: 422, text: "" }, undefined],
  [mine, { status: 200, text: `${own} ${other}` }, "shows the data of another import: mark-bbbbbbbbbbbb-x"],
  [mine, { status: 500, text: "" }, "5xx"],
  [mine, { status: 503, text: "" }, "5xx"],
  [mine, { status: 503, text: '{"error":{"code":"unavailable"}}' }, undefined],
  [foreign, { status: 503, text: '{"error":{"code":"unavailable"}}' }, "5xx"],
  [foreign, { status: 401, text: "" }, undefined],
  [foreign, { status: 404, text: "" }, undefined],
  [foreign, { status: 401, text: other }, "shows the data of another import: mark-bbbbbbbbbbbb-x"],
  [foreign, { status: 404, text: own }, "shows data without a right to it"],
  ...[200, 204, 303, 409, 422].map(
    (status) => [foreign, { status, text: "" }, "let in without a right"] as const,
  ),
  [{ ...foreign, isGuarded: false }, { status: 200, text: "" }, undefined],
] as const)("%j: %j is %s", (expected, answer, wrong) => {
  expect(judgeAnswer(expected, answer)).toBe(wrong);
});

test("reads the routes from Fastify's tree", () => {
  const tree = `├── /wizard/api/imports/:id (GET, HEAD)
│   ├── /links (POST)
│   │   └── /:link (DELETE)
│   └── /report (GET)
│       └── .csv (GET)
└── /readyz (GET)
`;
  expect(readRouteTree(tree).map(({ method, path }) => `${method} ${path}`)).toEqual([
    "GET /wizard/api/imports/:id",
    "HEAD /wizard/api/imports/:id",
    "POST /wizard/api/imports/:id/links",
    "DELETE /wizard/api/imports/:id/links/:link",
    "GET /wizard/api/imports/:id/report",
    "GET /wizard/api/imports/:id/report.csv",
    "GET /readyz",
  ]);
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { previewStream, shareOut } from "./preview-stream.ts";
import { spreadIds } from "./spread-ids.ts";

describe("positions between two ids", () => {
  test("numbers as texts, ids with a common beginning, one id alone", () => {
    const places = spreadIds("1", "999", 5);
    expect(places[0]).toBe("1");
    expect(places.every((place) => /^\d+$/.test(place))).toBe(true);
    expect(places).toEqual(places.toSorted());
    expect(new Set(places.map((place) => place[0])).size).toBeGreaterThan(3);
    expect(spreadIds("T-100", "T-900", 3).every((place) => place.startsWith("T-"))).toBe(true);
    expect(spreadIds("7", "7", 10)).toEqual(["7"]);
    expect(spreadIds("a", "b", 0)).toEqual([]);
  });

  test("any ids: a storable text, without repeats, no more than asked for", () => {
    const id = fc
      .string({ unit: "binary-ascii", minLength: 1, maxLength: 20 })
      .filter((text) => !text.includes("\0"));
    const bytes = (text: string) => Buffer.from(text);
    fc.assert(
      fc.property(id, id, fc.integer({ min: 1, max: 50 }), (one, other, most) => {
        const [first, last] = Buffer.compare(bytes(one), bytes(other)) <= 0 ? [one, other] : [other, one];
        const places = spreadIds(first, last, most);
        expect(places.length).toBeLessThanOrEqual(most);
        expect(new Set(places).size).toBe(places.length);
        expect(places[0]).toBe(first);
        for (const place of places) expect(place.includes("\0")).toBe(false);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("what an undo would do to a stream", () => {
  const given = { stream: "tickets", copies: 100, matched: 3, removable: true };
  const looked = { checked: 20, edited: 1, gone: 2, usedByAnother: 1, bound: 0 };

  test("extrapolated from the checked copies, on the side of what stays", () => {
    expect(previewStream("helpdesk", { ...given, looked })).toMatchObject({
      label: "Tickets",
      willStay: 10,
      willGo: 90,
      exact: false,
    });
    expect(previewStream("helpdesk", { ...given, copies: 101, looked })).toMatchObject({
      willStay: 11,
      willGo: 90,
    });
  });
  test("counted, if all were checked", () => {
    expect(previewStream("helpdesk", { ...given, copies: 20, looked })).toMatchObject({
      willStay: 2,
      willGo: 18,
      exact: true,
    });
  });
  test("unreachable: claims to know nothing", () => {
    expect(previewStream("helpdesk", { ...given, looked: null })).toMatchObject({
      willStay: 0,
      willGo: 100,
      exact: false,
    });
  });
  test("a tool that can't remove: all stay", () => {
    expect(previewStream("helpdesk", { ...given, removable: false, looked: null })).toMatchObject({
      willStay: 100,
      willGo: 0,
      exact: true,
    });
  });
  test("what goes and what stays adds up, and none is negative", () => {
    fc.assert(
      fc.property(
        fc.nat(1_000),
        fc.nat(200),
        fc.nat(200),
        fc.nat(200),
        fc.boolean(),
        (copies, checked, edited, used, removable) => {
          const seen = Math.min(copies, checked);
          const stream = previewStream("helpdesk", {
            stream: "tickets",
            copies,
            matched: null,
            removable,
            looked: {
              checked: seen,
              edited: Math.min(edited, seen),
              gone: 0,
              usedByAnother: Math.min(used, seen - Math.min(edited, seen)),
              bound: 0,
            },
          });
          expect(stream.willGo + stream.willStay).toBe(copies);
          expect(Math.min(stream.willGo, stream.willStay)).toBeGreaterThanOrEqual(0);
        },
      ),
    );
  });
});

test("the checks are shared out by size; of few, all", () => {
  expect(shareOut({ tickets: 150, comments: 40 }, 200)).toEqual({ tickets: 150, comments: 40 });
  expect(shareOut({ tickets: 3_000, comments: 997_000, users: 1 }, 200)).toEqual({
    tickets: 1,
    comments: 199,
    users: 1,
  });
});

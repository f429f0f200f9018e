import { expect, test } from "vitest";
import { claimsPage, summarizeClaims } from "./claims.ts";
import { amendExcerpt } from "./kit/amend-excerpt.ts";
import { readExcerpt } from "./kit/excerpt-file.ts";
import type { VendorTool } from "./tools.ts";
import { vendorTools } from "./tools.ts";

const made: VendorTool = {
  tool: "acme",
  title: "Acme",
  describedBy: "unknown",
  plan: { operations: ["GET /a"] },
  laws: {
    shown: { says: "It is shown", marks: ["S", "K"], seen: "request" },
    assumed: { says: "It is assumed", marks: ["K"], seen: "outcome" },
  },
  amendments: [{ says: "A field is left out", marks: ["K"], schema: "A" }],
  facts: [{ says: "It is slow", marks: ["I"] }],
  undescribed: ["GET /b"],
};

test("a claim without another mark than K is an assumption", () => {
  const { shown, assumed } = summarizeClaims(made);
  expect([shown, assumed.map(({ says }) => says)]).toEqual([2, ["It is assumed", "A field is left out"]]);
});

test("the page lists laws, assumptions and what nothing describes", () => {
  const page = claimsPage([made]);
  expect(page).toContain("| `shown` | It is shown | request | S K |");
  expect(page).toContain("- It is assumed.\n- A field is left out.");
  expect(page).toContain("- `GET /b`");
  expect(page).not.toContain("- It is slow.");
  expect(claimsPage([{ ...made, undescribed: [] }])).not.toContain("Nothing describes");
});

test.each(vendorTools.map((tool) => [tool.tool, tool] as const))(
  "%s: every claim has a mark, every amendment amends",
  (_, tool) => {
    const claims = [...Object.values(tool.laws), ...tool.amendments, ...tool.facts];
    expect(claims.filter(({ marks }) => marks.length === 0)).toEqual([]);
    const excerpt = readExcerpt(tool.tool);
    expect(amendExcerpt(excerpt, tool.amendments).operations).not.toEqual(excerpt.operations);
    expect(tool.undescribed.filter((operation) => operation in excerpt.operations)).toEqual([]);
  },
);

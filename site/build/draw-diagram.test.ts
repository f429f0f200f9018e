import { expect, test } from "vitest";
import { drawDiagram } from "./draw-diagram.ts";

const crossing = [
  "flowchart LR",
  ...["p", "c", "a", "w", "d", "r"].map((id) => `  ${id}["${id}"]`),
  "p --> a",
  "c --> a",
  "a --> d",
  "w --> d",
  "r -->|signed calls| w",
  "w -->|next chunks| r",
  "w --> p",
];

test("draws no arrow outside of the picture", () => {
  const svg = drawDiagram(crossing);
  const [left = 0, top = 0, width = 0, height = 0] =
    /viewBox="([^"]+)"/.exec(svg)?.[1]?.split(" ").map(Number) ?? [];
  const points = [...svg.matchAll(/<path d="M([^"]+)" fill="none"/g)].flatMap(([, path = ""]) =>
    path.split("L").map((point) => point.split(" ").map(Number)),
  );
  expect(points.length).toBeGreaterThan(10);
  for (const [x = 0, y = 0] of points) {
    expect(x).toBeGreaterThanOrEqual(left);
    expect(x).toBeLessThanOrEqual(left + width);
    expect(y).toBeGreaterThanOrEqual(top);
    expect(y).toBeLessThanOrEqual(top + height);
  }
});

test("escapes texts, and names the picture for those who can't see it", () => {
  const svg = drawDiagram(["flowchart TB", '  a["<One> & two"]']);
  expect(svg).toContain('aria-label="Diagram: &lt;One&gt; &amp; two"');
  expect(svg).not.toContain("<One>");
});

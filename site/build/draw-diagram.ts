// Draws the part of Mermaid that our pages use as SVG: stateDiagram-v2, flowchart and sequenceDiagram. Mermaid itself
// needs a browser to measure texts. Colors are those of the text around, so that a diagram fits light and dark.
import { graphlib, layout } from "@dagrejs/dagre";
import { hashOf } from "./move-inline.ts";
import { readDiagram, type Graph, type Sequence } from "./read-diagram.ts";

const fontSize = 13;
const lineHeight = 17;
/** Wide enough for the widest system font. */
const charWidth = 7.4;

const escape = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** Breaks a text into lines of about so many characters. */
const wrap = (text: string, most: number): readonly string[] => {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + word.length + 1 > most) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
};

const widthOf = (lines: readonly string[]) => Math.max(0, ...lines.map(({ length }) => length)) * charWidth;

const textAt = (x: number, y: number, lines: readonly string[], more = "") => {
  const top = y - ((lines.length - 1) * lineHeight) / 2 + fontSize * 0.35;
  const spans = lines.map(
    (line, index) =>
      `<tspan x="${x.toFixed(1)}" y="${(top + index * lineHeight).toFixed(1)}">${escape(line)}</tspan>`,
  );
  return `<text text-anchor="middle" font-size="${fontSize}" fill="currentColor"${more}>${spans.join("")}</text>`;
};

const arrowHead = (id: string) =>
  `<defs><marker id="${id}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 8 4 0 8z" fill="currentColor"/></marker></defs>`;

const svg = (
  { left, top, width, height }: { left: number; top: number; width: number; height: number },
  label: string,
  parts: readonly string[],
) => {
  // Ids belong to the whole page, which may have several diagrams.
  const arrow = `arrow-${hashOf(label)}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" role="img"${width > 900 ? ' class="wide"' : ""} aria-label="${escape(label)}" viewBox="${Math.floor(left)} ${Math.floor(top)} ${Math.ceil(width)} ${Math.ceil(height)}" width="${Math.ceil(width)}" font-family="inherit">${arrowHead(arrow)}${parts.join("").replaceAll("url(#arrow)", `url(#${arrow})`)}</svg>`;
};

const drawGraph = ({ direction, nodes, edges }: Graph): string => {
  const graph = new graphlib.Graph({ multigraph: true });
  graph.setGraph({ rankdir: direction, nodesep: 28, ranksep: 36, edgesep: 14, marginx: 12, marginy: 12 });
  const texts = new Map(nodes.map(({ id, label }) => [id, wrap(label, 22)]));
  for (const [id, lines] of texts)
    graph.setNode(id, {
      width: Math.max(18, widthOf(lines) + 24),
      height: Math.max(18, lines.length * lineHeight + 18),
    });
  const labels = edges.map(({ label }) => (label === "" ? [] : wrap(label, 24)));
  for (const [index, { from, to }] of edges.entries())
    graph.setEdge(
      from,
      to,
      {
        width: widthOf(labels[index] ?? []),
        height: (labels[index]?.length ?? 0) * lineHeight,
        labelpos: "c",
      },
      String(index),
    );
  layout(graph);
  const boxes = [...texts].map(([id, lines]) => {
    const { x, y, width, height } = graph.node(id);
    const left = (x - width / 2).toFixed(1);
    const top = (y - height / 2).toFixed(1);
    if (lines.join("") === "")
      return `<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="6" fill="currentColor"/>`;
    return `<rect x="${left}" y="${top}" width="${width.toFixed(1)}" height="${height.toFixed(1)}" rx="7" fill="none" stroke="currentColor" stroke-width="1.4"/>${textAt(x, y, lines, ' font-weight="600"')}`;
  });
  const lines = edges.map(({ from, to }, index) => {
    const { points, x, y } = graph.edge({ v: from, w: to, name: String(index) });
    const path = points
      .map((at: { readonly x: number; readonly y: number }) => `${at.x.toFixed(1)} ${at.y.toFixed(1)}`)
      .join("L");
    const text = labels[index] ?? [];
    return `<path d="M${path}" fill="none" stroke="currentColor" stroke-opacity="0.55" stroke-width="1.2" marker-end="url(#arrow)"/>${text.length === 0 ? "" : textAt(x ?? 0, y ?? 0, text)}`;
  });
  // Arrows may leave the area that the layout reports.
  const ends = [
    ...[...texts.keys()].flatMap((id) => {
      const { x, y, width, height } = graph.node(id);
      return [
        { x: x - width / 2, y: y - height / 2 },
        { x: x + width / 2, y: y + height / 2 },
      ];
    }),
    ...edges.flatMap(
      ({ from, to }, index) =>
        graph.edge({ v: from, w: to, name: String(index) }).points as { x: number; y: number }[],
    ),
  ];
  const left = Math.min(...ends.map(({ x }) => x)) - 12;
  const top = Math.min(...ends.map(({ y }) => y)) - 12;
  const width = Math.max(...ends.map(({ x }) => x)) - left + 12;
  const height = Math.max(...ends.map(({ y }) => y)) - top + 12;
  const label = nodes.map((node) => node.label).filter((each) => each !== "");
  return svg({ left, top, width, height }, `Diagram: ${label.join(", ")}`, [...lines, ...boxes]);
};

const drawSequence = ({ participants, steps }: Sequence): string => {
  const column = 190;
  const top = 52;
  const xOf = (id: string) => 90 + participants.findIndex((each) => each.id === id) * column;
  let y = top + 12;
  const parts: string[] = [];
  for (const step of steps) {
    const lines = wrap(step.text, step.kind === "note" || step.from !== step.to ? 44 : 24);
    y += lines.length * lineHeight + 10;
    const middle = y - 8 - (lines.length * lineHeight) / 2;
    if (step.kind === "note") {
      const width = widthOf(lines) + 20;
      const x = Math.max(width / 2 + 4, xOf(step.over));
      parts.push(
        `<rect x="${(x - width / 2).toFixed(1)}" y="${(middle - (lines.length * lineHeight) / 2 - 4).toFixed(1)}" width="${width.toFixed(1)}" height="${lines.length * lineHeight + 8}" rx="4" fill="none" stroke="currentColor" stroke-dasharray="4 3"/>${textAt(x, middle, lines)}`,
      );
      y += 8;
      continue;
    }
    const [from, to] = [xOf(step.from), xOf(step.to)];
    if (from === to) {
      parts.push(
        textAt(from + 10 + widthOf(lines) / 2 + 22, middle + 4, lines),
        `<path d="M${from} ${y - 14}h24v14H${from + 2}" fill="none" stroke="currentColor" marker-end="url(#arrow)"/>`,
      );
      y += 4;
    } else
      parts.push(
        textAt((from + to) / 2, middle, lines),
        `<path d="M${from} ${y}H${to + (to > from ? -2 : 2)}" fill="none" stroke="currentColor"${step.isAnswer ? ' stroke-dasharray="5 4"' : ""} marker-end="url(#arrow)"/>`,
      );
  }
  const height = y + 24;
  const heads = participants.flatMap(({ id, label }) => {
    const x = xOf(id);
    return [
      `<path d="M${x} ${top - 8}V${height - 8}" stroke="currentColor" stroke-opacity="0.35"/>`,
      `<rect x="${x - 78}" y="10" width="156" height="34" rx="7" fill="none" stroke="currentColor" stroke-width="1.4"/>`,
      textAt(x, 27, [label], ' font-weight="600"'),
    ];
  });
  const label = `Sequence: ${steps.map(({ text }) => text).join("; ")}`;
  return svg({ left: 0, top: 0, width: participants.length * column, height }, label, [...heads, ...parts]);
};

/** The lines of a Mermaid block as SVG. Throws at a line that it can't draw. */
export const drawDiagram = (lines: readonly string[]): string => {
  const diagram = readDiagram(lines);
  return diagram.kind === "sequence" ? drawSequence(diagram) : drawGraph(diagram);
};

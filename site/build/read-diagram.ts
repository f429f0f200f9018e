export interface Graph {
  readonly kind: "graph";
  readonly direction: "TB" | "LR";
  readonly nodes: readonly { readonly id: string; readonly label: string }[];
  readonly edges: readonly { readonly from: string; readonly to: string; readonly label: string }[];
}

type SequenceStep =
  | {
      readonly kind: "message";
      readonly from: string;
      readonly to: string;
      readonly text: string;
      readonly isAnswer: boolean;
    }
  | { readonly kind: "note"; readonly over: string; readonly text: string };

export interface Sequence {
  readonly kind: "sequence";
  readonly participants: readonly { readonly id: string; readonly label: string }[];
  readonly steps: readonly SequenceStep[];
}

const unreadable = (line: string): never => {
  throw new Error(`This line of a diagram can't be drawn: ${line}`);
};

/** Edges between the same two nodes become one, whose label names each event once; guards are in the page's table. */
const merged = (edges: Graph["edges"]): Graph["edges"] =>
  [...Map.groupBy(edges, ({ from, to }) => `${from} ${to}`).values()].map((same) => {
    const labels = same.map(({ label }) => label.replace(/\s*\[.*\]$/, ""));
    return { from: same[0]?.from ?? "", to: same[0]?.to ?? "", label: [...new Set(labels)].join(", ") };
  });

const readStates = (lines: readonly string[]): Graph => {
  const nodes = new Map<string, string>();
  const edges: Graph["edges"][number][] = [];
  for (const line of lines) {
    const edge = /^(\S+) --> (\S+?)(?:: (.*))?$/.exec(line);
    const node = /^(\w+): (.+)$/.exec(line);
    if (edge) {
      const [, from = "", to = "", label = ""] = edge;
      for (const id of [from, to]) if (!nodes.has(id)) nodes.set(id, id === "[*]" ? "" : id);
      edges.push({ from, to, label });
    } else if (node) nodes.set(node[1] ?? "", node[2] ?? "");
    else unreadable(line);
  }
  return {
    kind: "graph",
    direction: "TB",
    nodes: [...nodes].map(([id, label]) => ({ id, label })),
    edges: merged(edges),
  };
};

const readFlow = (lines: readonly string[], direction: "TB" | "LR"): Graph => {
  const nodes = new Map<string, string>();
  const edges: Graph["edges"][number][] = [];
  for (const line of lines) {
    const node = /^(\w+)\["(.+)"\]$/.exec(line);
    const edge = /^(\w+) -->(?:\|"?([^|"]+)"?\|)? (\w+)$/.exec(line);
    if (node) nodes.set(node[1] ?? "", node[2] ?? "");
    else if (edge) edges.push({ from: edge[1] ?? "", to: edge[3] ?? "", label: edge[2] ?? "" });
    else unreadable(line);
  }
  for (const { from, to } of edges)
    for (const id of [from, to]) if (!nodes.has(id)) unreadable(`${from} --> ${to}`);
  return { kind: "graph", direction, nodes: [...nodes].map(([id, label]) => ({ id, label })), edges };
};

const readSequence = (lines: readonly string[]): Sequence => {
  const participants = new Map<string, string>();
  const steps: SequenceStep[] = [];
  for (const line of lines) {
    const participant = /^participant (\w+) as (.+)$/.exec(line);
    const message = /^(\w+)(-?->>)(\w+): (.+)$/.exec(line);
    const note = /^Note over (\w+): (.+)$/.exec(line);
    if (participant) participants.set(participant[1] ?? "", participant[2] ?? "");
    else if (message) {
      const [, from = "", arrow = "", to = "", text = ""] = message;
      if (!participants.has(from) || !participants.has(to)) unreadable(line);
      steps.push({ kind: "message", from, to, text, isAnswer: arrow === "-->>" });
    } else if (note && participants.has(note[1] ?? ""))
      steps.push({ kind: "note", over: note[1] ?? "", text: note[2] ?? "" });
    else unreadable(line);
  }
  return {
    kind: "sequence",
    participants: [...participants].map(([id, label]) => ({ id, label })),
    steps,
  };
};

/** Reads the part of Mermaid's language that our pages use. */
export const readDiagram = (lines: readonly string[]): Graph | Sequence => {
  const [head = "", ...rest] = lines.map((line) => line.trim()).filter((line) => line !== "");
  if (head === "stateDiagram-v2") return readStates(rest);
  if (head === "sequenceDiagram") return readSequence(rest);
  const flow = /^flowchart (TB|LR)$/.exec(head)?.[1];
  if (flow === "TB" || flow === "LR") return readFlow(rest, flow);
  return unreadable(head);
};

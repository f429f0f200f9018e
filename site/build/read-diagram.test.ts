import { expect, test } from "vitest";
import { readDiagram } from "./read-diagram.ts";

test("reads states, and merges what leads from one to another", () => {
  expect(
    readDiagram([
      "stateDiagram-v2",
      "  a: First",
      "  [*] --> a: created",
      "  a --> b: x [if y]",
      "  a --> b: x",
      "  a --> b: z",
    ]),
  ).toEqual({
    kind: "graph",
    direction: "TB",
    nodes: [
      { id: "a", label: "First" },
      { id: "[*]", label: "" },
      { id: "b", label: "b" },
    ],
    edges: [
      { from: "[*]", to: "a", label: "created" },
      { from: "a", to: "b", label: "x, z" },
    ],
  });
});

test("reads a flow chart", () => {
  expect(
    readDiagram(["flowchart LR", '  a["One (1)"]', '  b["Two"]', "  a -->|asks| b", "  b --> a"]),
  ).toEqual({
    kind: "graph",
    direction: "LR",
    nodes: [
      { id: "a", label: "One (1)" },
      { id: "b", label: "Two" },
    ],
    edges: [
      { from: "a", to: "b", label: "asks" },
      { from: "b", to: "a", label: "" },
    ],
  });
});

test("reads a sequence", () => {
  expect(
    readDiagram([
      "sequenceDiagram",
      "participant w as Worker",
      "participant t as Tool",
      "w->>t: ask",
      "t-->>w: answer",
      "Note over w: think",
    ]),
  ).toMatchObject({
    participants: [{ id: "w", label: "Worker" }, { label: "Tool" }],
    steps: [
      { kind: "message", from: "w", to: "t", text: "ask", isAnswer: false },
      { from: "t", to: "w", isAnswer: true },
      { kind: "note", over: "w", text: "think" },
    ],
  });
});

test.each([
  ["pie", "title Pets"],
  ["flowchart LR", "a --- b"],
  ["flowchart LR", "a --> b"],
  ["stateDiagram-v2", "state fork <<fork>>"],
  ["sequenceDiagram", "a->>b: hello"],
])("%s with %s is refused, not drawn wrong", (...lines) => {
  expect(() => readDiagram(lines)).toThrow("can't be drawn");
});

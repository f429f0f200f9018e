import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeXlsx } from "../../../connectors/csv/testing/write-xlsx.ts";

/** The files of one customer, as three programs wrote them. */
export interface CustomerFiles {
  readonly tickets: string;
  readonly comments: string;
  readonly paths: readonly string[];
  readonly counts: Readonly<Record<"tickets" | "comments" | "users" | "groups", number>>;
  /** The first ticket's description, with letters that a wrong character set would spoil. */
  readonly umlauts: string;
  /** A text of a ticket that a spreadsheet program would run. */
  readonly formula: string;
}

const teams = ["Straßenbau", "Größen & Maße", "Außendienst"];
const agents = 5;
const row = (index: number) => index + 1;
const two = (number: number) => String(number).padStart(2, "0");
const umlauts = "Überprüft die Größe „42“ – dringend";
const formula = '=HYPERLINK("https://evil.example","Click")';

/**
 * An Excel sheet of tickets and three CSV files that join it: Unicode with commas, UTF-16 with tabs, and Windows' Western
 * European with semicolons and days first.
 */
export const writeCustomerFiles = (
  tickets: number,
  afterwards: (undo: () => unknown) => void,
): CustomerFiles => {
  const folder = mkdtempSync(join(tmpdir(), "portage-customer-files-"));
  afterwards(() => rmSync(folder, { recursive: true }));
  const comments = Math.ceil(tickets / 10);
  const write = (name: string, content: Buffer) => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };
  const sheet = writeXlsx([
    ["Ticket ID", "Subject", "Description", "Status", "Created at", "Assignee ID", "Group ID"],
    ...Array.from({ length: tickets }, (_, index) => [
      `t${row(index)}`,
      `Order ${row(index)}`,
      index === 0 ? umlauts : index === 1 ? formula : `Please send article ${row(index)}.`,
      index % 3 === 0 ? "Closed" : "Open",
      `2026-0${(index % 9) + 1}-${two((index % 28) + 1)}T10:00:00Z`,
      `a${row(index % agents)}`,
      `g${row(index % teams.length)}`,
    ]),
  ]);
  const told = [
    "Comment ID;Ticket ID;Text;Visibility;Created at",
    ...Array.from(
      { length: comments },
      (_, index) =>
        `k${row(index)};t${row(index * 10)};"Größe ${row(index)}; bitte prüfen";public;${two((index % 28) + 1)}.10.2026 12:30`,
    ),
  ];
  const people = [
    "Agent ID\tName\tEmail",
    ...Array.from({ length: agents }, (_, i) => `a${row(i)}\tMüller ${row(i)}\tagent${row(i)}@acme.example`),
  ];
  const groups = ["Group ID,Name", ...teams.map((name, index) => `g${row(index)},${name}`)];
  return {
    tickets: "tickets.xlsx",
    comments: "comments.csv",
    paths: [
      write("tickets.xlsx", sheet),
      write("comments.csv", Buffer.from(`${told.join("\r\n")}\r\n`, "latin1")),
      write("agents.csv", Buffer.from(`\ufeff${people.join("\r\n")}\r\n`, "utf16le")),
      write("groups.csv", Buffer.from(`${groups.join("\n")}\n`)),
    ],
    counts: { tickets, comments, users: agents, groups: teams.length },
    umlauts,
    formula,
  };
};

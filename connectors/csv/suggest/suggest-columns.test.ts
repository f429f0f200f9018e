import { crm, helpdesk, projects } from "@portage/connector-kit";
import { describe, expect, test } from "vitest";
import { suggest } from "../testing/suggest.ts";
import type { OtherTable } from "./suggest-relations.ts";

const fieldsOf = ({ columns }: ReturnType<typeof suggest>) =>
  columns.map(({ header, field }) => `${header}: ${field}`);
const codesOf = ({ questions }: ReturnType<typeof suggest>) =>
  questions.map(({ code, field }) => `${code} ${field}`);

describe("headers in several languages", () => {
  test.each([
    [
      "English",
      [
        "Ticket ID",
        "Subject",
        "Description",
        "Status",
        "Priority",
        "Requester email",
        "Assignee",
        "Created at",
        "Tags",
      ],
      ["17", "Printer", "It is broken", "Open", "High", "a@example.com", "Anna", "2024-01-02 10:00", "a;b"],
      ["18", "Screen", "So is this", "Solved", "Low", "b@example.com", "Bert", "2024-01-03 10:00", ""],
    ],
    [
      "German",
      [
        "Ticketnummer",
        "Betreff",
        "Beschreibung",
        "Status",
        "Priorität",
        "Kunde E-Mail",
        "Bearbeiter",
        "Erstellt am",
        "Schlagwörter",
      ],
      ["17", "Drucker", "Ist kaputt", "Offen", "Hoch", "a@example.com", "Anna", "31.01.2024 10:00", "a;b"],
      ["18", "Schirm", "Auch", "Gelöst", "Niedrig", "b@example.com", "Bert", "01.02.2024 10:00", ""],
    ],
    [
      "French",
      [
        "Numéro",
        "Sujet",
        "Description",
        "Statut",
        "Priorité",
        "Email du client",
        "Assigné à",
        "Créé le",
        "Étiquettes",
      ],
      ["17", "Imprimante", "En panne", "Ouvert", "Haute", "a@example.com", "Anna", "31/01/2024", "a;b"],
      ["18", "Écran", "Aussi", "Résolu", "Basse", "b@example.com", "Bert", "01/02/2024", ""],
    ],
    [
      "Spanish",
      [
        "Número",
        "Asunto",
        "Descripción",
        "Estado",
        "Prioridad",
        "Correo del cliente",
        "Asignado a",
        "Fecha de creación",
        "Etiquetas",
      ],
      ["17", "Impresora", "Rota", "Abierto", "Alta", "a@example.com", "Anna", "31/01/2024", "a;b"],
      ["18", "Pantalla", "También", "Resuelto", "Baja", "b@example.com", "Bert", "01/02/2024", ""],
    ],
  ])("tickets in %s", (_, header, ...rows) => {
    const got = suggest(helpdesk.tickets, header, rows);
    expect(got.columns.map(({ field }) => field)).toEqual([
      "id",
      "subject",
      "description",
      "status",
      "statusKind",
      "priority",
      "priorityKind",
      "requester.email",
      "assignee.name",
      "createdAt",
      "tags",
    ]);
    expect(got.questions).toEqual([]);
    expect(got.columns.find(({ field }) => field === "statusKind")?.words).toEqual({
      [header[3] === "Statut" ? "ouvert" : (rows[0]?.[3]?.toLowerCase() ?? "")]: "open",
      [rows[1]?.[3]?.toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "") ?? ""]: "solved",
    });
    expect(got.columns.find(({ field }) => field === "createdAt")?.confidence).toBe("certain");
  });
});

describe("dates", () => {
  const dated = (...dates: readonly string[]) =>
    suggest(
      projects.timeEntries,
      ["ID", "Project", "Date", "Hours"],
      dates.map((date, index) => [String(index), "P", date, "1,5"]),
    );
  const formatOf = (got: ReturnType<typeof dated>) =>
    got.columns.find(({ field }) => field === "spentOn")?.date;

  test("detects an unambiguous date format", () => {
    expect(formatOf(dated("2024-01-02", "2024-01-03"))).toBe("year-first");
    expect(formatOf(dated("13/01/2024", "02/03/2024"))).toBe("day-first");
    expect(formatOf(dated("01/13/2024", "02/03/2024"))).toBe("month-first");
    expect(formatOf(dated("01.02.2024", "02.03.2024"))).toBe("day-first");
    expect(formatOf(dated("3 March 2024", "4 Mar 2024"))).toBe("named-month");
  });

  test("asks about an ambiguous date format and chooses none", () => {
    const got = dated("01/02/2024", "02/03/2024");
    expect(formatOf(got)).toBeUndefined();
    expect(got.questions).toContainEqual(
      expect.objectContaining({ code: "date-order", column: 2, options: ["day-first", "month-first"] }),
    );
  });

  test("hours with a decimal comma", () => {
    expect(dated("2024-01-02").columns.find(({ field }) => field === "minutes")).toMatchObject({
      unit: "hours",
      decimal: ",",
    });
  });
});

describe("amounts and durations", () => {
  const deals = (...amounts: readonly string[]) =>
    suggest(
      crm.deals,
      ["ID", "Name", "Stage", "Pipeline", "Amount"],
      amounts.map((amount, index) => [String(index), `D${index}`, "s", "p", amount]),
    );
  const asked = ({ questions }: ReturnType<typeof suggest>) =>
    questions.flatMap(({ code, field, options }) =>
      code === "decimal-mark" || code === "time-unit" ? [`${code} ${field} ${options.join(" ")}`] : [],
    );
  const decimalOf = ({ columns }: ReturnType<typeof suggest>) =>
    columns.find(({ field }) => field === "amount")?.decimal;

  test("asks what a mark before three digits is, and chooses none", () => {
    for (const amounts of [
      ["1.500", "2.000", "750"],
      ["1,500", "2,000"],
      ["1.500", "-2.000 €"],
    ]) {
      const got = deals(...amounts);
      expect([amounts, asked(got), decimalOf(got)]).toEqual([
        amounts,
        ["decimal-mark amount . ,"],
        undefined,
      ]);
    }
  });

  test.each([
    [["1.500", "2.000", "12,5"], ","],
    [["1,500", "2.5"], "."],
    [["1.500,00"], ","],
    [["1.500.000", "2"], ","],
    [["750", "12"], "."],
    [["0.125", "0.250"], "."],
  ] as const)("does not ask where one value decides: %j has %s", (amounts, mark) => {
    const got = deals(...amounts);
    expect([asked(got), decimalOf(got)]).toEqual([[], mark]);
  });

  const unitOf = (stream: unknown, field: string, header: string, ...cells: readonly string[]) => {
    const rows = cells.map((cell, index) => [String(index), "x", "2024-01-13", cell]);
    const got = suggest(stream, ["ID", "Project", "Date", header], rows, [], { 3: field });
    return [got.columns.find((column) => column.field === field)?.unit, ...asked(got)];
  };

  test("asks whether a number is hours or minutes, unless the header or the values say so", () => {
    const question = (field: string) => [undefined, `time-unit ${field} hours minutes`];
    const spent = (header: string, ...cells: readonly string[]) =>
      unitOf(projects.timeEntries, "minutes", header, ...cells);
    expect(spent("Time spent", "90", "30")).toEqual(question("minutes"));
    expect(spent("Dauer", "1,5", "2")).toEqual(question("minutes"));
    expect(spent("Hours", "1.5")).toEqual(["hours"]);
    expect(spent("Time spent (h)", "1.5")).toEqual(["hours"]);
    expect(spent("Duration in min.", "90")).toEqual(["minutes"]);
    expect(spent("Minuten", "90")).toEqual(["minutes"]);
    expect(spent("Duration", "1:30", "0:45")).toEqual([undefined]);
    expect(spent("Duration", "1.5 h", "20 min", "2:00")).toEqual([undefined]);
    expect(spent("Duration", "1.5 h", "20")).toEqual(question("minutes"));
    const estimated = (header: string, ...cells: readonly string[]) =>
      unitOf(projects.tasks, "estimatedMinutes", header, ...cells);
    expect(estimated("Estimate", "90")).toEqual(question("estimatedMinutes"));
    expect(estimated("Estimated hours", "1.5")).toEqual(["hours"]);
  });
});

describe("keys", () => {
  test("asks about a repeated or empty id and names its rows", () => {
    const rows = Array.from({ length: 20 }, (_, index) => [index === 7 ? "3" : String(index), `n${index}`]);
    expect(codesOf(suggest(helpdesk.groups, ["ID", "Name"], rows))).toEqual(["key-repeats id"]);
    expect(suggest(helpdesk.groups, ["ID", "Name"], rows).questions[0]?.message).toContain(
      "row 9 repeats row 5",
    );
    const empty = rows.map(([, name], index) => [index === 7 ? "" : String(index), name ?? ""]);
    expect(codesOf(suggest(helpdesk.groups, ["ID", "Name"], empty))).toEqual(["key-empty id"]);
  });

  test("does not take a constant number as the key; without a key it offers the possible columns", () => {
    const got = suggest(
      helpdesk.users,
      ["Nr", "Name", "E-Mail"],
      [
        ["1", "Anna", "a@example.com"],
        ["1", "Anna", "b@example.com"],
      ],
    );
    expect(got.columns.find(({ field }) => field === "id")).toBeUndefined();
    expect(got.questions).toContainEqual(expect.objectContaining({ code: "no-key", options: ["2"] }));
  });
});

describe("relations", () => {
  const tickets: OtherTable = { stream: "tickets", keys: new Set(["T-1", "T-2", "T-3"]) };

  test("by header and values", () => {
    const got = suggest(
      helpdesk.comments,
      ["Comment ID", "Ticket", "Text", "Public"],
      [
        ["1", "T-1", "Hello", "yes"],
        ["2", "T-2", "<p>Bye</p>", "no"],
      ],
      [tickets],
    );
    expect(fieldsOf(got)).toEqual(["Comment ID: id", "Ticket: ticketId", "Text: body", "Public: visibility"]);
    expect(got.columns[1]?.confidence).toBe("certain");
    expect(got.columns[2]?.text).toBe("html");
    expect(got.columns[3]?.words).toEqual({ yes: "public", no: "internal" });
    expect(got.questions).toEqual([]);
  });

  test("by values alone, unless they are plain numbers", () => {
    const got = suggest(
      helpdesk.comments,
      ["ID", "xyz", "Text", "Public"],
      [
        ["1", "T-1", "a", "yes"],
        ["2", "T-3", "b", "no"],
      ],
      [tickets],
    );
    expect(fieldsOf(got)).toContain("xyz: ticketId");
    expect(got.columns[1]?.confidence).toBe("unsure");
    const numbers: OtherTable = { stream: "tickets", keys: new Set(["1", "2"]) };
    const other = suggest(
      helpdesk.comments,
      ["ID", "xyz", "Text", "Public"],
      [
        ["7", "1", "a", "yes"],
        ["8", "2", "b", "no"],
      ],
      [numbers],
    );
    expect(fieldsOf(other)).toContain("xyz: customFields.xyz");
    expect(codesOf(other)).toContain("missing-field ticketId");
  });

  test("asks about values that are not keys of the other file", () => {
    const got = suggest(
      helpdesk.comments,
      ["ID", "Ticket", "Text", "Public"],
      [["1", "88", "a", "yes"]],
      [tickets],
    );
    expect(codesOf(got)).toContain("relation-unmatched ticketId");
  });

  test("the file that contains the values decides the stream of a person", () => {
    const contacts: OtherTable = { stream: "contacts", keys: new Set(["c1", "c2"]) };
    const got = suggest(
      helpdesk.tickets,
      ["ID", "Subject", "Status", "Customer ID"],
      [
        ["1", "a", "open", "c1"],
        ["2", "b", "open", "c2"],
      ],
      [contacts],
    );
    expect(got.columns.find(({ field }) => field === "requester.id")?.to).toBe("contacts");
  });
});

test("several columns for a name, several addresses; an address without a header", () => {
  const got = suggest(
    helpdesk.contacts,
    ["ID", "First name", "Last name", "Email", "Work email", "Mobile"],
    [
      ["1", "Anna", "Ax", "a@example.com", "a@work.example", "+49 1"],
      ["2", "Bert", "By", "b@example.com", "b@work.example", "+49 2"],
    ],
  );
  expect(got.columns.map(({ field }) => field)).toEqual(["id", "name", "name", "emails", "emails", "phones"]);
  const bare = suggest(
    helpdesk.users,
    ["", "Name"],
    [
      ["a@example.com", "Anna"],
      ["b@example.com", "Bert"],
    ],
  );
  expect(fieldsOf(bare)).toContain(": email");
  expect(bare.columns[0]?.confidence).toBe("unsure");
});

test("asks about unknown words of a required field and about fields without a column", () => {
  const got = suggest(
    helpdesk.tickets,
    ["ID", "Subject", "Status"],
    [
      ["1", "a", "Zwischenlager"],
      ["2", "b", "offen"],
    ],
  );
  expect(got.questions).toContainEqual(
    expect.objectContaining({
      code: "unknown-words",
      field: "statusKind",
      message: expect.stringContaining("Zwischenlager"),
    }),
  );
  expect(codesOf(suggest(helpdesk.comments, ["ID", "Ticket", "Text"], [["1", "2", "x"]]))).toEqual([
    "missing-field visibility",
  ]);
});

test("custom fields: derives types from values, keeps codes as texts", () => {
  const got = suggest(
    crm.companies,
    ["ID", "Name", "Umsatzklasse", "Seit wann", "Kostenstelle", "Leer"],
    [
      ["1", "Ax", "12,5", "31.12.2020", "0012", ""],
      ["2", "By", "3,25", "01.02.2021", "0013", ""],
    ],
  );
  expect(got.columns.slice(2)).toMatchObject([
    { field: "customFields.umsatzklasse", as: "number", decimal: "," },
    { field: "customFields.seit_wann", as: "day", date: "day-first" },
    { field: "customFields.kostenstelle", as: "text" },
  ]);
  expect(got.columns).toHaveLength(5);
});

describe("a custom field is what all of its values are without a loss", () => {
  const kindOf = (...cells: readonly string[]) => {
    const rows = cells.map((cell, index) => [String(index), `n${index}`, cell]);
    const { columns, questions } = suggest(helpdesk.groups, ["ID", "Name", "Zusatz"], rows);
    expect(questions).toEqual([]);
    const { as, decimal, date } = columns[2] ?? {};
    return [as, decimal ?? date].filter((each) => each !== undefined).join(" ");
  };

  test.each([
    ["a letter code", ["ABC-12", "ABC-13"]],
    ["an order", ["ORD-1001", "ORD-1002"]],
    ["a code like a currency", ["CAD-12", "CAD1001"]],
    ["a version", ["1.10", "1.9", "2.3"]],
    ["a version of three parts", ["2.4.12", "2.5.13"]],
    [
      "a postal code, of which a late one begins with zero",
      [...Array.from({ length: 300 }, () => "80331"), "01067"],
    ],
    ["a phone number", ["555 1234", "555 9876"]],
    ["an amount with both places", ["12.50", "9.95"]],
    ["an amount that may be in thousands", ["1.500", "2.000", "750"]],
    ["a share", ["50%", "60%"]],
    ["a plus", ["+5", "5"]],
    ["a long number", ["12345678901234567", "1"]],
    ["an odd one among many numbers", [...Array.from({ length: 300 }, (_, index) => String(index)), "12a"]],
  ])("%s is a text", (_, cells) => {
    expect(kindOf(...cells)).toBe("text");
  });

  test.each([
    [["12,5", "3,25"], "number ,"],
    [["1.234,5", "12"], "number ,"],
    [["-3", "0", "1200"], "number ."],
    [["EUR 5", "EUR 7.5"], "number ."],
    [["1 234.5 €", "7 €"], "number ."],
    [["31.12.2024", "1.2.2024"], "day day-first"],
    [["31.12.2024 10:00", "1.2.2024 11:30"], "moment day-first"],
  ])("%j is a %s", (cells, kind) => {
    expect(kindOf(...cells)).toBe(kind);
  });
});

import type { Family } from "@portage/contract";

/** A small file as customers may bring it: the names of columns can differ. */
export interface ExampleFile {
  readonly stream: string;
  readonly name: string;
  readonly text: string;
}

const file = (stream: string, ...lines: readonly string[]): ExampleFile => ({
  stream,
  name: `${stream}.csv`,
  // A byte order mark, by which spreadsheet programs recognize UTF-8.
  text: `\ufeff${lines.join("\r\n")}\r\n`,
});

/** For each family the files that most customers have, which join each other by key. */
export const exampleFiles: Readonly<Record<Family, readonly ExampleFile[]>> = {
  helpdesk: [
    file(
      "contacts",
      "Contact ID,Name,Email,Phone",
      "501,Jo Winter,jo@acme.example,+49 30 1234567",
      "502,Sam Lee,sam@acme.example,",
    ),
    file(
      "tickets",
      "Ticket ID,Subject,Description,Status,Priority,Created at,Requester ID,Assignee email,Tags",
      '1001,Printer is on fire,"It says ""PC LOAD LETTER"", then it smokes.",Open,Urgent,2026-03-01 09:30,501,kim@acme.example,"hardware, printer"',
      "1002,New laptop,Please order one.,Closed,Normal,2026-03-02 14:00,502,kim@acme.example,hardware",
    ),
    file(
      "comments",
      "Comment ID,Ticket ID,Text,Visibility,Author email,Created at",
      "1,1001,Please switch it off.,public,kim@acme.example,2026-03-01 09:45",
      "2,1001,Third time this month.,internal,kim@acme.example,2026-03-01 10:00",
    ),
  ],
  projects: [
    file("projects", "Project ID,Name,Description", "10,Website,The new site", "11,Office move,"),
    file(
      "tasks",
      "Task ID,Project ID,Title,Description,Status,Priority,Assignee email,Due date,Created at",
      "1,10,Choose a font,Ask the designers.,In progress,High,kim@acme.example,2026-04-01,2026-03-01 09:30",
      "2,11,Book the movers,,Done,Normal,sam@acme.example,2026-03-20,2026-03-02 14:00",
    ),
    file(
      "comments",
      "Comment ID,Task ID,Text,Visibility,Author email,Created at",
      "1,1,Inter looks fine.,public,kim@acme.example,2026-03-03 11:00",
    ),
  ],
  crm: [
    file("companies", "Company ID,Name,Domain,Phone", "20,Acme,acme.example,+49 30 1234567"),
    file(
      "contacts",
      "Contact ID,First name,Last name,Email,Phone,Company ID",
      "501,Jo,Winter,jo@acme.example,+49 30 7654321,20",
    ),
    file("pipelines", "Pipeline ID,Name,Stages", "1,Sales,New; Offer; Won; Lost"),
    file(
      "deals",
      "Deal ID,Name,Pipeline ID,Stage,Amount,Currency,Company ID,Close date",
      "90,Yearly contract,1,Offer,12500.00,EUR,20,2026-06-30",
    ),
  ],
  content: [
    file("authors", "Author ID,Name,Email", "3,Jo Winter,jo@acme.example"),
    file(
      "posts",
      "Post ID,Title,Body,State,Published at,Author ID",
      "70,We moved,<p>Here is our new office.</p>,published,2026-03-05 08:00,3",
    ),
    file(
      "pages",
      "Page ID,Title,Body,State",
      "80,About us,<p>We have repaired bicycles since 1998.</p>,published",
    ),
  ],
};

import { expect, test } from "vitest";
import { recordAt } from "./record-at.ts";

const settings = {
  instanceUrl: "https://desk.example.com/znuny/",
  username: "portage",
  password: "secret",
  webService: "GenericTicketConnectorREST",
  timeZone: "UTC",
};
const page = "https://desk.example.com/znuny/index.pl";
const customers = "https://desk.example.com/znuny/customer.pl";

test.each([
  [`${page}?Action=AgentTicketZoom;TicketID=42`, { stream: "tickets", id: "42" }],
  [`${page}?Action=AgentTicketZoom&TicketID=42#1`, { stream: "tickets", id: "42" }],
  [
    `${page}?Action=AgentTicketZoom;TicketID=42;ArticleID=7`,
    { stream: "comments", id: "42.7", parent: { stream: "tickets", id: "42" } },
  ],
  [`${page}?Action=AgentTicketQueue;QueueID=3;View=`, { stream: "groups", id: "3" }],
  [`${page}?Action=AgentTicketZoom;TicketID=4x`, null],
  [`${page}?Action=AgentDashboard;TicketID=42`, null],
  // The pages of the customers.
  [`${customers}?Action=CustomerTicketZoom;TicketID=42`, { stream: "tickets", id: "42" }],
  [
    `${customers}?Action=CustomerTicketZoom;TicketID=42;ArticleID=7`,
    { stream: "comments", id: "42.7", parent: { stream: "tickets", id: "42" } },
  ],
  // Only Znuny knows the id of the ticket with this number.
  [`${customers}?Action=CustomerTicketZoom;TicketNumber=2026010110000018`, null],
  [`${customers}?Action=AgentTicketZoom;TicketID=42`, null],
  [`${customers}?Action=AgentTicketQueue;QueueID=3`, null],
  [`${page}?Action=CustomerTicketZoom;TicketID=42`, null],
  ["https://desk.example.com/other/index.pl?Action=AgentTicketZoom;TicketID=42", null],
])("%s", (url, record) => {
  expect(recordAt(settings, url, "helpdesk")).toEqual(record);
});

import type { Connector, FamilyRecord, FieldChange } from "@portage/connector-kit";
import type { Subject } from "@portage/connector-kit/conformance";
import type { ZendeskSettings } from "../../../connectors/zendesk/settings.ts";
import { fileDigest } from "../../../connectors/zendesk/texts.ts";
import { openZendesk } from "../../vendors/zendesk/open.ts";
import type { Zendesk } from "../../vendors/zendesk/stand-in.ts";
import { reportOf } from "../stand-in-report.ts";
import type { ToolSuite } from "../suite.ts";

const pageSize = 8;

/** How many records have a key, by Zendesk's own tables. */
const copiesIn =
  ({ tables }: Zendesk) =>
  async (stream: string, key: string): Promise<number> => {
    const comments = tables.tickets.live().flatMap(({ data }) => data.comments);
    if (stream === "comments")
      return comments.filter(({ html_body: html }) => html.includes(`(portage:${key})`)).length;
    if (stream === "attachments")
      return comments.filter(({ html_body: html }) => html.includes(`.${fileDigest(key)}=`)).length;
    if (stream === "groups")
      return tables.groups.live().filter(({ data }) => data.description.includes(`portage:${key})`)).length;
    const table = { tickets: tables.tickets, organizations: tables.organizations }[stream] ?? tables.users;
    return table.live().filter(({ data }) => data.external_id === key).length;
  };

/** A closed ticket takes no comments, which the suite writes by themselves: here such tickets are solved. */
const withoutClosed = (connector: Connector<ZendeskSettings>): Connector<ZendeskSettings> => {
  const solved = (record: FamilyRecord): FamilyRecord =>
    "statusKind" in record && record.statusKind === "closed"
      ? ({ ...record, status: "solved", statusKind: "solved" } as FamilyRecord)
      : record;
  const why = "The test needs tickets that are open.";
  return {
    ...connector,
    manifest: { ...connector.manifest, grace: { lateWriteMs: 500, findLagMs: 0 } },
    destination: {
      helpdesk: (connector.destination?.helpdesk ?? []).map((stream) => ({
        ...stream,
        write: async (io, batch) => {
          const outcomes = await stream.write(
            io,
            batch.map((write) => ({ ...write, record: solved(write.record) })),
          );
          return outcomes.map((outcome, index) => {
            const record = batch[index]?.record;
            if (!record || solved(record) === record || outcome.kind !== "written") return outcome;
            const changes = ["status", "statusKind"].map(
              (field): FieldChange => ({ field, change: "converted", why, becomes: "solved" }),
            );
            return { ...outcome, changes: [...(outcome.changes ?? []), ...changes] };
          });
        },
      })),
    },
  };
};

/**
 * Three pages more of people, organizations and articles, before all others: what changes between two pages shows only where there are
 * several, and no ticket needs these.
 */
const addPages = ({ users, organizations, articles }: Zendesk["tables"]) => {
  const createdAt = Date.UTC(2020, 0, 1);
  const person = users.live().find(({ data }) => data.role === "end-user");
  const [organization] = organizations.live();
  const [article] = articles.live();
  if (!person || !organization || !article)
    throw new Error("The seed lacks people, organizations or articles.");
  for (let number = 1; number <= 3 * pageSize; number += 1) {
    const own = { name: `Further ${number}`, external_id: `further-${number}` };
    const row = { id: number, createdAt };
    users.insert({
      ...row,
      data: { ...person.data, ...own, email: `further${number}@example.com`, organization_id: null },
    });
    organizations.insert({ ...row, data: { ...organization.data, ...own, domain_names: [] } });
    articles.insert({ ...row, data: { ...article.data, title: own.name } });
  }
};

export const suite: ToolSuite = {
  tool: "zendesk",
  counterpart: { kind: "stand-in", judged: true },
  runs: [{ label: "Zendesk", family: "helpdesk" }],
  excused: {
    "start-time-once": "the suite begins exports that it does not end, and starts others meanwhile",
  },
  async start(transport) {
    const { tool, connector, settings } = await openZendesk();
    addPages(tool.tables);
    const tables: Readonly<
      Record<string, { update(id: number, data: object): unknown; remove(id: number): unknown }>
    > = {
      tickets: tool.tables.tickets,
      contacts: tool.tables.users,
      organizations: tool.tables.organizations,
      articles: tool.tables.articles,
    };
    const disturb: Subject["disturb"] = async (stream, { update, remove }) => {
      for (const id of update) tables[stream]?.update(Number(id), {});
      // Comments go with their ticket, which the suite would take for lost: a test of its own deletes tickets.
      if (stream !== "tickets") for (const id of remove) tables[stream]?.remove(Number(id));
    };
    const addTo: Subject["addTo"] = async (stream, id) => {
      if (stream !== "tickets") return null;
      const { tickets, newComment } = tool.tables;
      const commentsNow = () => tickets.get(Number(id))?.data.comments ?? [];
      const said = newComment({
        author_id: Number(tool.ids.get("admin")),
        html_body: "<p>Thank you!</p>",
        public: true,
        createdAt: Date.now(),
        attachments: [],
      });
      tickets.update(Number(id), { comments: [...commentsNow(), said] });
      return async () =>
        tickets.get(Number(id))?.deletedAt === null && commentsNow().some((each) => each.id === said.id);
    };
    const subject: Subject = {
      connector: withoutClosed(connector),
      settings,
      family: "helpdesk",
      transport,
      pageSize,
      mails: async () => tool.counted.mails,
      copies: copiesIn(tool),
      addTo,
      disturb,
    };
    return { subject: () => subject, report: reportOf(tool), stop: tool.close };
  },
};

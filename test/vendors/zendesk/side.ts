import type { SideNeeds } from "../kit/vendor-side.ts";
import { atStandIn } from "../packages/index.ts";
import type { Zendesk } from "./stand-in.ts";
import type { Ticket } from "./tables.ts";

/** For `vendorSource` and `vendorDestination`. The text of a ticket that came with an import is its first comment here. */
export const zendeskSide = (zendesk: Zendesk): SideNeeds<Ticket> => {
  const { tables, clock } = zendesk;
  const { users, organizations, groups, tickets, articles } = tables;
  const newComment = (author: number, words: string) =>
    tables.newComment({
      author_id: author,
      html_body: `<p>${words}</p>`,
      public: true,
      createdAt: clock.now(),
      attachments: [],
    });
  return {
    tool: atStandIn("zendesk"),
    url: zendesk.url,
    settings: {
      instanceUrl: zendesk.url,
      username: zendesk.credentials.email,
      token: zendesk.credentials.apiToken,
    },
    tickets,
    dump: zendesk.dump,
    counts: () => {
      const { attachments } = zendesk.dump();
      const all = tickets.live();
      return {
        users: users.live().filter(({ data }) => data.role !== "end-user").length,
        contacts: users.live().filter(({ data }) => data.role === "end-user").length,
        organizations: organizations.live().length,
        groups: groups.live().length,
        tickets: all.length,
        comments: all.reduce((sum, { data }) => sum + data.comments.length - (data.imported ? 1 : 0), 0),
        attachments: attachments.length,
        articles: articles.live().length,
      };
    },
    comment: ({ id, data }) =>
      void tickets.update(id, { comments: [...data.comments, newComment(data.requester_id, "Said later.")] }),
    add: (subject) => {
      const known = tickets.live()[0];
      if (!known) throw new Error("The account has no ticket.");
      const comments = [newComment(known.data.requester_id, subject)];
      return tickets.insert({ data: { ...known.data, subject, comments, external_id: null, status: "open" } })
        .id;
    },
  };
};

import type { SideNeeds } from "../kit/vendor-side.ts";
import type { Freshdesk } from "./stand-in.ts";
import type { Ticket } from "./tables.ts";

/** For `vendorSource` and `vendorDestination`. */
export const freshdeskSide = (
  freshdesk: Freshdesk,
  settings: Readonly<Record<string, string>>,
): SideNeeds<Ticket> => {
  const { tables, clock } = freshdesk;
  const { people, companies, groups, tickets, articles } = tables;
  return {
    tool: "freshdesk",
    url: freshdesk.url,
    settings,
    tickets,
    dump: freshdesk.dump,
    counts: () => {
      const all = tickets.live();
      return {
        users: people.live().filter(({ data }) => data.kind === "agent").length,
        contacts: people.live().filter(({ data }) => data.kind === "contact").length,
        organizations: companies.live().length,
        groups: groups.live().length,
        tickets: all.length,
        comments: all.reduce((sum, { data }) => sum + data.conversations.length, 0),
        attachments: freshdesk.dump().attachments.length,
        articles: articles.live().length,
      };
    },
    comment: ({ id, data }) => {
      const later = tables.newConversation({
        body: "<p>Said later.</p>",
        incoming: true,
        private: false,
        user_id: data.requester_id,
        source: 0,
        createdAt: clock.now(),
        attachments: [],
      });
      tickets.update(id, { conversations: [...data.conversations, later] });
    },
    add: (subject) => {
      const known = tickets.live()[0];
      if (!known) throw new Error("The account has no ticket.");
      return tickets.insert({ data: { ...known.data, subject, attachments: [], conversations: [] } }).id;
    },
  };
};

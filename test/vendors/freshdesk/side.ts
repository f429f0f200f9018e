import type { SideNeeds } from "../kit/vendor-side.ts";
import { atStandIn } from "../packages/index.ts";
import type { Freshdesk } from "./stand-in.ts";
import type { Ticket } from "./tables.ts";

/** Files that are listed, and images in the texts. */
const filesIn = ({ attachments, description, conversations }: Ticket) =>
  [{ attachments, body: description }, ...conversations].reduce(
    (sum, each) => sum + each.attachments.length + (each.body.match(/\{\{file:\d+\}\}/g)?.length ?? 0),
    0,
  );

/** For `vendorSource` and `vendorDestination`. */
export const freshdeskSide = (freshdesk: Freshdesk): SideNeeds<Ticket> => {
  const { tables, clock } = freshdesk;
  const { people, companies, groups, tickets, articles } = tables;
  return {
    tool: atStandIn("freshdesk"),
    url: freshdesk.url,
    settings: { instanceUrl: freshdesk.url, token: freshdesk.credentials.apiKey },
    tickets,
    dump: freshdesk.dump,
    counts: () => {
      // Archived tickets are in no list, and spam is not moved.
      const all = tickets.live().filter(({ archived, data }) => !archived && !data.spam);
      return {
        users: people.live().filter(({ data }) => data.kind === "agent").length,
        contacts: people.live().filter(({ data }) => data.kind === "contact").length,
        organizations: companies.live().length,
        groups: groups.live().length,
        tickets: all.length,
        comments: all.reduce((sum, { data }) => sum + data.conversations.length, 0),
        attachments: all.reduce((sum, { data }) => sum + filesIn(data), 0),
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

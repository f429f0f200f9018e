import type { SideNeeds } from "../kit/vendor-side.ts";
import { atStandIn } from "../packages/index.ts";
import { settingsOf } from "./origins.ts";
import type { Intercom } from "./stand-in.ts";
import type { Conversation } from "./tables.ts";

/** Images in the texts, which are not listed as files. */
const imagesIn = ({ source, parts }: Conversation) =>
  [source, ...parts].reduce((sum, { body }) => sum + (body?.match(/\{\{file:\w+\}\}/g)?.length ?? 0), 0);

/** For `vendorSource`. Conversations and tickets count as tickets; people change conversations. */
export const intercomSide = (intercom: Intercom): SideNeeds<Conversation> => {
  const { tables, clock } = intercom;
  const { admins, teams, companies, contacts, conversations, tickets, articles } = tables;
  return {
    tool: atStandIn("intercom"),
    url: intercom.url,
    settings: settingsOf(intercom),
    tickets: conversations,
    dump: intercom.dump,
    counts: () => {
      const all = [...conversations.live(), ...tickets.live()];
      return {
        users: admins.live().length,
        contacts: contacts.live().length,
        // A company without contacts is in no list.
        organizations: companies
          .live()
          .filter(({ id }) => contacts.live().some(({ data }) => data.companies.includes(id))).length,
        groups: teams.live().length,
        tickets: all.length,
        comments: all.reduce(
          (sum, { data }) => sum + data.parts.filter(({ body }) => body !== null).length,
          0,
        ),
        attachments: intercom.dump().files.length + all.reduce((sum, { data }) => sum + imagesIn(data), 0),
        articles: articles.live().length,
      };
    },
    comment: ({ id, data }) => {
      const author = data.source.author;
      const part = {
        part_type: "comment",
        body: "<p>Said later.</p>",
        author,
        createdAt: clock.now(),
        files: [],
      };
      conversations.update(id, { parts: [...data.parts, tables.newPart(part)] });
    },
    add: (subject) => {
      const known = conversations.live()[0];
      if (!known) throw new Error("The workspace has no conversation.");
      return conversations.insert({ data: { ...known.data, subject, parts: [] } }).id;
    },
  };
};

import { createRandom, hostileLines } from "@portage/connector-kit/conformance";
import type { FileContent, StoredFile } from "./file-host.ts";

/** How much of each; small in a test of seconds. */
export interface NastySizes {
  /** Ordinary tickets besides the special ones. */
  readonly tickets: number;
  readonly commentsPerTicket: number;
  /** Comments of the longest ticket. */
  readonly longThread: number;
  /** Tickets that changed within one second. */
  readonly sameSecond: number;
  readonly largeFileBytes: number;
  readonly largeHtmlBytes: number;
  readonly people: number;
}

export const smallSizes: NastySizes = {
  tickets: 12,
  commentsPerTicket: 2,
  longThread: 25,
  sameSecond: 15,
  largeFileBytes: 200_000,
  largeHtmlBytes: 20_000,
  people: 8,
};

export const fullSizes: NastySizes = {
  tickets: 1_500,
  commentsPerTicket: 5,
  longThread: 1_000,
  sameSecond: 500,
  largeFileBytes: 40 * 1024 * 1024,
  largeHtmlBytes: 1_000_000,
  people: 200,
};

export interface SeedPerson {
  readonly key: string;
  readonly role: "admin" | "agent" | "customer";
  readonly name: string;
  readonly email: string | null;
  readonly phone: string | null;
  readonly organization: string | null;
  /** Deleted since, and still an author. */
  readonly gone: boolean;
}

export interface SeedFile extends StoredFile {
  readonly key: string;
  /** Shown inside the text, where `{{image:KEY}}` stands, and not in the list of files. */
  readonly inline: boolean;
}

export interface SeedComment {
  readonly author: string;
  readonly html: string;
  readonly public: boolean;
  readonly createdAt: number;
  readonly files: readonly SeedFile[];
}

export interface SeedTicket {
  readonly key: string;
  readonly subject: string;
  readonly requester: string;
  readonly assignee: string | null;
  readonly group: string | null;
  readonly status: "new" | "open" | "pending" | "solved" | "closed";
  readonly priority: "low" | "normal" | "high" | "urgent";
  readonly fate: "kept" | "archived" | "deleted" | "spam" | "suspended" | "merged";
  readonly mergedInto: string | null;
  readonly tags: readonly string[];
  /** By key of a field: a text, or several options. */
  readonly values: Readonly<Record<string, string | readonly string[]>>;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** The first one is the ticket's own text. */
  readonly comments: readonly SeedComment[];
}

export interface SeedField {
  readonly key: string;
  readonly title: string;
  readonly kind: "text" | "dropdown" | "multiselect" | "nested" | "number" | "date" | "checkbox";
  /** Label and stored value; levels of a nested one are divided by `::`. */
  readonly options: readonly { readonly label: string; readonly value: string }[];
}

export interface SeedArticle {
  readonly key: string;
  readonly title: string;
  readonly html: string;
  readonly author: string;
  readonly draft: boolean;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface NastyDesk {
  readonly seed: string;
  readonly organizations: readonly {
    readonly key: string;
    readonly name: string;
    readonly domains: readonly string[];
  }[];
  readonly groups: readonly { readonly key: string; readonly name: string }[];
  readonly fields: readonly SeedField[];
  readonly people: readonly SeedPerson[];
  readonly tickets: readonly SeedTicket[];
  readonly articles: readonly SeedArticle[];
}

const start = Date.UTC(2024, 2, 1, 8);
const minute = 60_000;

const fields: readonly SeedField[] = [
  { key: "serial", title: "Serial number", kind: "text", options: [] },
  {
    key: "product",
    title: "Product",
    kind: "dropdown",
    options: [
      { label: "Anvil (large)", value: "product_anvil_large" },
      { label: "Rocket — “Größe M”", value: "product_rocket_m" },
    ],
  },
  {
    key: "channels",
    title: "Channels",
    kind: "multiselect",
    options: [
      { label: "Shop", value: "channel_shop" },
      { label: "Phone", value: "channel_phone" },
      { label: "Fair", value: "channel_fair" },
    ],
  },
  {
    key: "region",
    title: "Region",
    kind: "nested",
    options: [
      { label: "Europe::Austria::Vienna", value: "region_vienna" },
      { label: "Europe::Austria::Graz", value: "region_graz" },
      { label: "America::Chile::Santiago", value: "region_santiago" },
    ],
  },
  { key: "seats", title: "Seats", kind: "number", options: [] },
  { key: "renewal", title: "Renewal", kind: "date", options: [] },
  { key: "vip", title: "VIP", kind: "checkbox", options: [] },
];

/** An option that tickets still have and the field no longer does. */
export const removedOption = "product_discontinued";

const escapeHtml = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** One help desk with everything that goes wrong in moves, for all tools; the same for the same seed and sizes. */
export const nastyDesk = (seed: string, sizes: NastySizes): NastyDesk => {
  const random = createRandom(seed);
  let files = 0;
  const file = (name: string, mediaType: string, content: FileContent, inline = false): SeedFile => {
    files += 1;
    return { key: `f${files}`, name, mediaType, content, inline };
  };
  const made = (name: string, size: number): FileContent => ({ name: `${seed}/${name}/${files}`, size });

  const organizations = [
    { key: "o1", name: "Acme Anvils", domains: ["anvils.example"] },
    // The same but for upper and lower case: a tool that compares without case has one of them.
    { key: "o2", name: "ACME ANVILS", domains: [] },
    { key: "o3", name: "Größe & Söhne «GmbH» 🚀", domains: ["groesse.example"] },
  ];
  const groups = [
    { key: "g1", name: "Support" },
    { key: "g2", name: "Returns / مرتجعات" },
  ];
  const person = (key: string, more: Partial<SeedPerson>): SeedPerson => ({
    key,
    role: "customer",
    name: `Person ${key}`,
    email: `${key}@anvils.example`,
    phone: null,
    organization: null,
    gone: false,
    ...more,
  });
  const people: SeedPerson[] = [
    person("admin", { role: "admin", name: "Ada Admin", email: "ada@desk.example" }),
    person("agent1", { role: "agent", name: "Bo Agent", email: "bo@desk.example" }),
    person("agent2", {
      role: "agent",
      name: "Chloé Agentin",
      email: "chloe@desk.example",
      phone: "+43 1 234",
    }),
    person("gone", { role: "agent", name: "Gus Gone", email: "gus@desk.example", gone: true }),
    person("leaver", { name: "Lea Leaver", gone: true }),
    person("same1", { name: "Sam One", email: "sam@anvils.example", organization: "o1" }),
    // One address twice, but for upper and lower case.
    person("same2", { name: "Sam Two", email: "Sam@Anvils.example", organization: "o2" }),
    person("noaddress", { name: "No Address", email: null, phone: "+1 555 0100" }),
  ];
  for (let each = people.length; each < sizes.people; each += 1)
    people.push(person(`c${each}`, { organization: random.pick(organizations).key }));
  const customers = people.filter(({ role, gone }) => role === "customer" && !gone).map(({ key }) => key);
  const agents = ["admin", "agent1", "agent2"];

  let moment = start;
  const tickets: SeedTicket[] = [];
  const comment = (
    author: string,
    html: string,
    createdAt: number,
    more: Partial<SeedComment> = {},
  ): SeedComment => ({
    author,
    html,
    createdAt,
    public: true,
    files: [],
    ...more,
  });
  const addTicket = (subject: string, more: Partial<SeedTicket> = {}): SeedTicket => {
    moment += 37 * minute;
    const requester = more.requester ?? random.pick(customers);
    const comments = more.comments ?? [comment(requester, `<p>${escapeHtml(subject)}</p>`, moment)];
    const ticket: SeedTicket = {
      key: `t${tickets.length + 1}`,
      subject,
      requester,
      assignee: random.below(4) === 0 ? null : random.pick(agents),
      group: random.pick(groups).key,
      status: random.pick(["open", "pending", "solved"] as const),
      priority: random.pick(["low", "normal", "high", "urgent"] as const),
      fate: "kept",
      mergedInto: null,
      tags: [],
      values: {},
      createdAt: moment,
      updatedAt: Math.max(moment, ...comments.map(({ createdAt }) => createdAt)),
      ...more,
      comments,
    };
    tickets.push(ticket);
    return ticket;
  };

  for (let each = 0; each < sizes.tickets; each += 1) {
    const requester = random.pick(customers);
    const at = moment + 37 * minute;
    const texts = [comment(requester, `<p>Ordinary question ${each}</p>`, at)];
    for (let reply = 1; reply <= sizes.commentsPerTicket; reply += 1)
      texts.push(
        comment(
          reply % 2 === 0 ? requester : random.pick(agents),
          `<p>Answer ${reply} to ${each}</p>`,
          at + reply * minute,
          {
            public: reply % 3 !== 0,
            ...(each % 5 < 2 &&
              reply === 1 && { files: [file(`log-${each}.txt`, "text/plain", made("log", 500 + each))] }),
          },
        ),
      );
    addTicket(`Question ${each}`, { requester, comments: texts, tags: each % 2 === 0 ? ["shop"] : [] });
  }
  const at = () => moment + 37 * minute;
  addTicket("A long thread", {
    requester: "same1",
    comments: Array.from({ length: sizes.longThread }, (_, each) =>
      comment(each % 2 === 0 ? "same1" : "agent1", `<p>Message ${each + 1}</p>`, at() + each * 1_000),
    ),
  });
  const merged = addTicket("The one that stays after a merge");
  addTicket("Merged away", { fate: "merged", mergedInto: merged.key, status: "closed" });
  addTicket("Deleted by an agent", { fate: "deleted" });
  addTicket("Cheap watches", { fate: "spam" });
  addTicket("Held back by the filter", { fate: "suspended" });
  addTicket("Closed long ago", { fate: "archived", status: "closed" });
  addTicket("From people who are gone", {
    requester: "leaver",
    comments: [comment("leaver", "<p>Hello?</p>", at()), comment("gone", "<p>Yes.</p>", at() + minute)],
  });
  addTicket("From a customer without an address", { requester: "noaddress" });
  addTicket("From the second Sam", { requester: "same2" });
  addTicket("Files of every kind", {
    comments: [
      comment("same1", "<p>Three files</p>", at(), {
        files: [
          file("empty.txt", "text/plain", Buffer.alloc(0)),
          file("résumé (1).pdf", "application/pdf", made("pdf", 4_321)),
          file("large.bin", "application/octet-stream", made("large", sizes.largeFileBytes)),
        ],
      }),
    ],
  });
  const image = file("screen shot.png", "image/png", made("png", 2_048), true);
  addTicket("An image inside the text", {
    comments: [
      comment("same1", `<p>See <img src="{{image:${image.key}}}" alt="screen"> there</p>`, at(), {
        files: [image],
      }),
    ],
  });
  addTicket("All custom fields", {
    values: {
      serial: "A-1",
      product: "product_rocket_m",
      channels: ["channel_shop", "channel_fair"],
      region: "region_graz",
      seats: "12",
      renewal: "2025-02-28",
      vip: "true",
    },
  });
  addTicket("An option that was removed", { values: { product: removedOption } });
  addTicket("Emoji 🎉, RTL שלום مرحبا, and <b>no markup</b>", { tags: ["größe", "rtl"] });
  for (const line of hostileLines.slice(0, 6)) addTicket(line);
  addTicket("A very long text", {
    comments: [
      comment("same1", `<p>${"Lorem ipsum ".repeat(Math.ceil(sizes.largeHtmlBytes / 12))}</p>`, at()),
    ],
  });
  const busySecond = moment + 24 * 60 * minute;
  for (let each = 0; each < sizes.sameSecond; each += 1)
    addTicket(`Changed in one second ${each}`, { updatedAt: busySecond + (each % 1_000) });
  const articles = [
    {
      key: "a1",
      title: "How to return an anvil",
      html: "<h2>Returns</h2><p>Carefully.</p>",
      author: "agent1",
      draft: false,
    },
    { key: "a2", title: "Entwurf: Größen", html: "<p>🚧</p>", author: "gone", draft: true },
  ].map((article, each) => ({
    ...article,
    createdAt: start + each * minute,
    updatedAt: start + each * minute,
  }));
  return { seed, organizations, groups, fields, people, tickets, articles };
};

/** A new seed, printed, so that a failure can be repeated. */
export const newSeed = (tool: string): string => {
  const seed = `${tool}-${Math.floor(Math.random() * 1e9)}`;
  process.stdout.write(`stand-in of ${tool}: seed ${seed}\n`);
  return seed;
};

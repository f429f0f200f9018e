import { createStore, type Store } from "../store.ts";
import type { PersonRef, TableName } from "../tables.ts";
import { articles } from "./articles.ts";
import { agents, companies, customers, teams } from "./people.ts";
import { formPicture, lampPicture } from "./picture.ts";
import { type Story, stories } from "./stories.ts";

const lamps = ["Aurora", "Beacon", "Candela", "Dusk", "Ember"] as const;
const firstDay = Date.UTC(2023, 2, 6, 8, 0);
const hour = 3_600_000;
/** How often each story happens. */
const rounds = 9;

const at = (ms: number) => new Date(ms).toISOString();

const contents = {
  receipt: [
    "receipt.txt",
    "text/plain",
    "ACME LAMPS\r\n1 x lamp .......... 129.00\r\nshipping ........... 4.90\r\nTOTAL ............ 133.90\r\n",
  ],
  log: [
    "console.log",
    "text/plain",
    `${Array.from({ length: 400 }, (_, line) => `${at(firstDay + line * 250)} checkout: field postcode rejected by /^[A-Z0-9]+$/`).join("\n")}\n`,
  ],
  measurements: [
    "Maße Lesesaal – reading room.csv",
    "text/csv",
    "desk;width cm;depth cm\r\n1;160;80\r\n2;160;80\r\n3;120;70\r\n",
  ],
} as const;

interface NewFile {
  readonly name: string;
  readonly type: string;
  readonly content: Buffer;
  readonly inline: boolean;
}

const seedPeople = (store: Store) => {
  for (const [index, agent] of agents.entries())
    store.add("agents", { ...agent, made: at(firstDay + index) });
  for (const [index, company] of companies.entries())
    store.add("companies", { ...company, account: `C-${700 + index}`, made: at(firstDay + index * hour) });
  for (const [index, { company, ...customer }] of customers.entries())
    store.add("customers", {
      ...customer,
      companyId: company,
      // A café's buyer also buys for its supplier.
      alsoOf: company === 2 ? [3] : [],
      account: index % 3 === 0 ? `K-${5000 + index}` : null,
      blocked: company === 6,
      notes: index === 7 ? "Never calls back. <i>Write.</i>" : null,
      made: at(firstDay + index * 5 * hour),
    });
  for (const [index, team] of teams.entries()) store.add("teams", { ...team, made: at(firstDay + index) });
};

const addFile = (
  store: Store,
  parent: { readonly table: "tickets" | "messages" | "articles"; readonly id: number },
  { content, ...file }: NewFile,
  made: string,
): number => {
  const { id } = store.add("files", { ...file, parent, bytes: content.length, made });
  store.keepContent(id, content);
  return id;
};

const pictureOf = (what: NonNullable<Story["picture"]>): NewFile => ({
  name: what === "form" ? "screenshot.png" : "photo.png",
  type: "image/png",
  content: what === "form" ? formPicture() : lampPicture(what),
  inline: true,
});

const showInText = (store: Store, table: "tickets" | "articles", id: number, file: NewFile, made: string) => {
  const text = store.get(table, id)?.text ?? "";
  const fileId = addFile(store, { table, id }, file, made);
  store.change(table, id, {
    text: `${text}<p><img src="/files/${fileId}" alt="${file.name}"></p>`,
    changed: made,
  });
};

const seedStory = (store: Store, story: Story, turn: number) => {
  const lamp = lamps[turn % lamps.length] ?? "Aurora";
  const customer = customers[turn % customers.length];
  const customerId = (turn % customers.length) + 1;
  const order = `AL-${20_000 + turn * 37}`;
  const details = { lamp, order, first: customer?.name.split(" ")[0] ?? "" };
  const madeAt = firstDay + turn * 9 * 24 * hour + (turn % 7) * hour;
  // The members of the team take turns; a few tickets have no agent yet.
  const members = teams[story.team - 1]?.members ?? [2];
  const agentId = turn % 13 === 5 ? null : (members[turn % members.length] ?? 2);
  const isOpen = story.state !== "Closed" && story.state !== "Done";
  const endedAt = madeAt + (story.replies.length + 1) * 7 * hour;
  const author: PersonRef = { table: "customers", id: customerId };
  const isForm = story.channel === "web";
  const ticket = store.add("tickets", {
    number: `AD-${1000 + turn}`,
    form: isForm ? "Contact us" : null,
    shop: turn % 2 === 0 ? "Acme Lamps" : "Acme Outlet",
    bin: null,
    mergedInto: null,
    copies: story.team === 4 ? ["purchasing@acme-partners.example"] : [],
    subject: story.subject(details),
    text: story.text(details),
    state: story.state,
    priority: story.priority ?? "Normal",
    kind: story.kind,
    author,
    customerId,
    agentId,
    teamId: story.team,
    companyId: customer?.company ?? null,
    channel: story.channel ?? "email",
    tags: story.tags ?? [],
    due: story.priority === "High" ? at(madeAt + 72 * hour) : null,
    done: isOpen ? null : at(endedAt),
    fields: {
      order,
      lamp,
      warranty: at(madeAt + 2 * 365 * 24 * hour).slice(0, 10),
      refund: story.refund ?? null,
      safety: story.safety ?? false,
    },
    made: at(madeAt),
    changed: at(endedAt),
  });
  if (story.picture) showInText(store, "tickets", ticket.id, pictureOf(story.picture), at(endedAt));
  if (story.file) {
    const [name, type, text] = contents[story.file];
    addFile(
      store,
      { table: "tickets", id: ticket.id },
      { name, type, content: Buffer.from(text), inline: false },
      at(madeAt),
    );
  }
  if (!isOpen && agentId !== null)
    store.add("work", {
      ticketId: ticket.id,
      agentId,
      minutes: 5 + (turn % 4) * 10,
      paid: story.team === 4,
      done: "Read it, wrote back.",
      made: at(endedAt),
    });
  if (story.state === "Closed" && turn % 3 === 0)
    store.add("ratings", {
      ticketId: ticket.id,
      customerId,
      stars: ([5, 4, 3, 1] as const)[turn % 4] ?? 5,
      words: turn % 2 === 0 ? "Quick answer." : null,
      made: at(endedAt + hour),
    });
  if (turn > 0 && turn % 20 === 0)
    store.add("links", {
      from: ticket.id,
      to: ticket.id - 1,
      how: turn % 40 === 0 ? "same as" : "part of",
      made: at(endedAt),
    });
  for (const [index, [who, text]] of story.replies.entries())
    store.add("messages", {
      ticketId: ticket.id,
      author: who === "customer" ? author : { table: "agents", id: agentId ?? 2 },
      internal: who === "note",
      via: who === "note" ? null : "mail",
      to: who === "agent" ? [...(customer?.emails ?? [])] : [],
      copies: [],
      text: text(details),
      made: at(madeAt + (index + 1) * 7 * hour),
    });
};

/** Records as every old tool has them, which no schema foresaw. */
const seedAwkward = (store: Store) => {
  const plain = {
    text: "<p></p>",
    state: "Open",
    priority: "Normal",
    kind: "Question",
    customerId: null,
    agentId: null,
    teamId: null,
    companyId: null,
    channel: "email",
    form: null,
    shop: "Acme Lamps",
    bin: null,
    mergedInto: null,
    copies: [],
    tags: [],
    due: null,
    done: null,
    fields: {},
  } as const;
  store.add("tickets", {
    ...plain,
    number: "AD-1",
    subject: "",
    author: { table: "customers", id: 20 },
    customerId: 20,
    channel: "phone",
    made: at(firstDay + 40 * hour),
  });
  // Its author was deleted years ago; the name is all that is left.
  store.add("tickets", {
    ...plain,
    number: "AD-2",
    bin: "archive",
    subject: "Fwd: Fwd: RE: AW: the lamp in the lobby",
    author: { name: "Gus (left 2021)" },
    text: "<p>Forwarded from the old mailbox.</p>",
    state: "Closed",
    made: "1999-12-31T23:59:59.000Z",
  });
  store.add("tickets", {
    ...plain,
    number: "AD-3",
    bin: "spam",
    subject: "שלום! 你好 🌞 <b>not bold</b> & “quotes”",
    author: { table: "customers", id: 13 },
    customerId: 13,
    text: `<p dir="rtl">مرحبا، المصباح لا يعمل.</p><script>alert("never runs")</script><p onclick="alert(1)">And a line that wanted to run code.</p>`,
    tags: ["naïve", "ключ", "a b"],
    made: at(firstDay + 60 * hour),
  });
  const long = store.add("tickets", {
    ...plain,
    number: "AD-4",
    // It went on in the first ticket.
    mergedInto: 1,
    subject: `A very long subject, because the whole message is in it: ${"the lamp hums and hums and ".repeat(12)}`,
    author: { table: "customers", id: 18 },
    customerId: 18,
    text: `<p>${"It hums. ".repeat(2_000)}</p>`,
    made: at(firstDay + 80 * hour),
  });
  addFile(
    store,
    { table: "tickets", id: long.id },
    { name: "empty.txt", type: "text/plain", content: Buffer.alloc(0), inline: false },
    long.made,
  );
  const noise = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * index) % 251));
  addFile(
    store,
    { table: "tickets", id: long.id },
    { name: "humming 🎵.wav", type: "audio/wav", content: noise, inline: false },
    long.made,
  );
};

/** The category of a path, and those above it, each once. */
const shelfOf = (store: Store, path: readonly string[], made: string): number | null => {
  let under: number | null = null;
  for (const name of path) {
    const known = store.all("shelves").find((each) => each.name === name && each.under === under);
    const place = store.all("shelves").filter((each) => each.under === under).length + 1;
    const about: string | null = under === null ? `<p>All about ${name.toLowerCase()}.</p>` : null;
    under = (known ?? store.add("shelves", { name, about, under, place, made })).id;
  }
  return under;
};

const snippets = [
  {
    name: "Ask for the batch",
    folder: "Safety",
    teams: [2],
    text: "<p>Which batch number is on the base?</p>",
  },
  { name: "Thanks", folder: "General", teams: [], text: "<p>Thank you, {{first name}}!</p>" },
];

const seedSnippets = (store: Store) => {
  for (const snippet of snippets) store.add("snippets", { ...snippet, made: at(firstDay) });
};

const seedArticles = (store: Store) => {
  for (const [index, article] of articles.entries()) {
    const made = at(firstDay + index * 100 * hour);
    const shelfId = shelfOf(store, article.shelf, made);
    const { id } = store.add("articles", { ...article, shelfId, agentId: 2 + (index % 4), made });
    if (article.title.startsWith("Send"))
      store.add("translations", {
        articleId: id,
        language: "de",
        title: "Etwas zurückschicken",
        text: "<p>Öffnen Sie <b>Bestellungen › Rückgabe</b> und drucken Sie das Etikett.</p>",
        made,
      });
    if (article.title.startsWith("Swap")) showInText(store, "articles", id, pictureOf("lit"), made);
  }
};

/** The help desk of a small shop after three years: people, threads, pictures, files and a few awkward records. */
export const seededStore = (): Store => {
  const store = createStore();
  seedPeople(store);
  seedArticles(store);
  seedSnippets(store);
  for (let turn = 0; turn < rounds * stories.length; turn += 1)
    seedStory(store, stories[turn % stories.length] as Story, turn);
  seedAwkward(store);
  return store;
};

export const countsOf = (store: Store): Readonly<Partial<Record<TableName, number>>> => ({
  tickets: store.all("tickets").length,
  messages: store.all("messages").length,
  files: store.all("files").length,
});

import { createRtApi, type RtApi } from "./api.ts";
import { fileBytes, hostileTexts, longText, tinyPng } from "./seed-texts.ts";

export interface Seeded {
  readonly agents: readonly string[];
  readonly customers: readonly string[];
  readonly queues: readonly string[];
  /** Keyed by what makes each worth checking. */
  readonly tickets: Readonly<Record<string, string>>;
  readonly articles: readonly string[];
}

interface Made {
  readonly id: string;
}

const password = "seed-password-1";
const domain = "customer.test";

const agents = [
  { Name: "ana", RealName: "Ana Líma", EmailAddress: "ana@agents.test" },
  { Name: "bjorn", RealName: "Björn Åström", EmailAddress: "bjorn@agents.test" },
  { Name: "chie", RealName: "千恵 山田", EmailAddress: "chie@agents.test" },
  { Name: "gone", RealName: "Gone Agent", EmailAddress: "gone@agents.test", Disabled: 1 },
];

const customers = [
  {
    Name: `jose@${domain}`,
    RealName: "José Ñuñez",
    EmailAddress: `jose@${domain}`,
    Organization: "Ñuñez & Söhne",
  },
  // The same name twice: only the email address distinguishes them.
  {
    Name: `smith1@${domain}`,
    RealName: "John Smith",
    EmailAddress: `smith1@${domain}`,
    MobilePhone: "+1 555 0100",
  },
  { Name: `smith2@${domain}`, RealName: "John Smith", EmailAddress: `smith2@${domain}`, Lang: "pt_BR" },
  { Name: `nameless@${domain}`, EmailAddress: `nameless@${domain}`, Timezone: "America/Sao_Paulo" },
  { Name: "no-mail", RealName: "Nobody's Mail <b>", FreeformContactInfo: "Call\nonly" },
];

const seedPeople = async ({ call }: RtApi) => {
  for (const agent of agents)
    await call("POST", "user", {
      ...agent,
      Privileged: 1,
      Password: password,
      Created: "2014-02-03 04:05:06",
    });
  for (const customer of customers)
    await call("POST", "user", { ...customer, Comments: "A note on a person." });
};

const seedQueues = async ({ call }: RtApi) => {
  const made: string[] = [];
  for (const [Name, Description] of [
    ["Soporte técnico", "Problemas & <preguntas>"],
    ["Ventas", ""],
    ["Closed down", "Nobody writes here any more"],
  ])
    made.push((await call<Made>("POST", "queue", { Name, Description })).id);
  await call("PUT", `queue/${made[0]}`, { AdminCc: ["ana", "bjorn"], Cc: [`smith1@${domain}`] });
  return made;
};

const base = (Queue: string | undefined, Subject: string) => ({
  Queue,
  Subject,
  Requestor: [`jose@${domain}`],
});

const statuses = ["new", "open", "stalled", "resolved", "rejected"];

/** One of each status and priority, with fields of each type. */
const seedPlain = async ({ call }: RtApi, queues: readonly string[], tickets: Record<string, string>) => {
  for (const [index, status] of statuses.entries()) {
    const { id } = await call<Made>("POST", "ticket", {
      ...base(queues[index % 2], `A ticket that is ${status}`),
      Content: `It is ${status}.`,
      Owner: ["ana", "bjorn", "chie", "Nobody", "ana"][index],
      Priority: [0, 25, 50, 75, 100][index],
      Created: `201${index}-03-04 05:06:07`,
      Due: "2031-12-31 23:59:59",
      CustomFields: {
        Colour: ["red", "green", "blå", "", "red"][index],
        Platforms: ["Linux", "macOS", "Windows"].slice(0, index % 4),
        Notes: "First line\nsecond line",
        Renewal: "2027-02-28",
        "Called at": "2020-02-29 12:34:56",
        "Serial numbers": ["A-1", "ß-2"],
        Address: "192.0.2.7",
      },
    });
    await call("PUT", `ticket/${id}`, { Status: status });
    tickets[status] = id;
  }
};

const seedHostile = async ({ call }: RtApi, queues: readonly string[], tickets: Record<string, string>) => {
  for (const [index, text] of hostileTexts.entries()) {
    const Subject = text.split("\n")[0]?.trim().slice(0, 190);
    // Without a requestor, and in a queue without watchers: each mail that RT sends costs a second.
    const { id } = await call<Made>("POST", "ticket", { Queue: queues[1], Subject, Content: text });
    tickets[`hostile ${index}`] = id;
  }
  const long = await call<Made>("POST", "ticket", { ...base(queues[0], "Long"), Content: longText });
  const empty = await call<Made>("POST", "ticket", { Queue: queues[0], Subject: "" });
  const old = await call<Made>("POST", "ticket", {
    ...base(queues[0], "From before 1970"),
    Content: "Old.",
    Created: "1969-07-20 20:17:40",
  });
  Object.assign(tickets, { long: long.id, empty: empty.id, old: old.id });
};

/** A conversation of several people, with private comments and files of all kinds. */
const seedThread = async (api: RtApi, queues: readonly string[], tickets: Record<string, string>) => {
  const { id } = await api.call<Made>("POST", "ticket", {
    ...base(queues[0], "A long conversation"),
    Content: '<p>Please <b>help</b>: see <a href="https://example.com/?a=1&amp;b=2">this</a>.</p>',
    ContentType: "text/html",
    Owner: "ana",
    Cc: [`smith1@${domain}`, "chie"],
  });
  await api.message(id, "correspond", { text: "We look into it.\n\n> quoted\n> twice" }, "ana");
  await api.message(id, "comment", { text: "Private: the customer is angry 😡." }, "bjorn");
  await api.message(id, "comment", { text: "<p>Private <i>HTML</i></p>", contentType: "text/html" }, "chie");
  await api.message(id, "correspond", {
    text: '<p>Here: <img src="cid:dot@rt.test" alt="dot"> and a far one <img src="https://example.com/a.png"></p>',
    contentType: "text/html",
    files: [{ name: "dot.png", type: "image/png", bytes: tinyPng }],
  });
  for (const [name, type, bytes] of [
    ["Ünïcode ‘Ω’ 日本 🎈.txt", "text/plain", Buffer.from("naïve café 🎈\r\n")],
    ["empty.dat", "application/octet-stream", new Uint8Array()],
    ["five-megabytes.bin", "application/octet-stream", fileBytes(5 * 1024 * 1024, 7)],
    ["with space & (brackets) [1].pdf", "application/pdf", fileBytes(2_000, 3)],
  ] as const) {
    // RT does not accept an empty file this way, so the smallest has one byte.
    const files = [{ name, type, bytes: bytes.length === 0 ? new Uint8Array([0]) : bytes }];
    await api.message(id, "comment", { text: `A file: ${name}`, files }, "ana");
  }
  const words = await api.call<Made>("POST", "ticket", { Queue: queues[1], Subject: "Ugly words" });
  for (const text of hostileTexts) await api.message(words.id, "correspond", { text }, "bjorn");
  Object.assign(tickets, { thread: id, words: words.id });
};

const seedLinks = async (
  { call, message }: RtApi,
  queues: readonly string[],
  tickets: Record<string, string>,
) => {
  const make = async (subject: string) =>
    (await call<Made>("POST", "ticket", { ...base(queues[1], subject), Content: subject })).id;
  const parent = await make("Parent");
  const child = await make("Child");
  const into = await make("Merged into this");
  const merged = await make("Merged away");
  const deleted = await make("Deleted");
  await call("PUT", `ticket/${child}`, {
    MemberOf: parent,
    DependsOn: into,
    RefersTo: "https://example.com/x",
  });
  await message(merged, "correspond", { text: "Said before it was merged." }, "ana");
  await call("PUT", `ticket/${merged}`, { MergeInto: into });
  await call("DELETE", `ticket/${deleted}`);
  Object.assign(tickets, { parent, child, into, merged, deleted });
};

const seedArticles = async ({ call }: RtApi) => {
  const made: string[] = [];
  for (const [Name, body] of [
    ["How to reset a password", "Click “Forgot”.\n\nThen wait."],
    ["日本語の記事 <x>", "本文 🎈"],
  ]) {
    const article = { Name, Class: "General", Summary: "A summary", CustomFields: { Content: body } };
    made.push((await call<Made>("POST", "article", article)).id);
  }
  return made;
};

/** Fills a fresh Request Tracker through its own interface with the data of a real one after ten years. */
export const seedRequestTracker = async (url: string, token: string): Promise<Seeded> => {
  const api = createRtApi(url, token, () => password);
  await seedPeople(api);
  const queues = await seedQueues(api);
  const tickets: Record<string, string> = {};
  await seedPlain(api, queues, tickets);
  await seedHostile(api, queues, tickets);
  await seedThread(api, queues, tickets);
  await seedLinks(api, queues, tickets);
  const articles = await seedArticles(api);
  const names = { agents: agents.map(({ Name }) => Name), customers: customers.map(({ Name }) => Name) };
  return { ...names, queues, tickets, articles };
};

import { hostileLines } from "@portage/connector-kit/conformance";
import { afterAll, expect, test } from "vitest";
import { openStore } from "../src/store/store.ts";
import { startDesk } from "./running-desk.ts";

const desk = await startDesk();
afterAll(() => desk.close());

const from = (key: string) => ({ key, sourceId: `old-${key}`, importedAt: "2026-11-15T10:00:00.000Z" });

const get = async (path: string) => {
  const response = await fetch(`${desk.pages}${path}`, { redirect: "manual" });
  return { status: response.status, headers: response.headers, text: await response.text() };
};

const newTicket = (key: string, values: object) =>
  desk.store.insert(
    "tickets",
    { subject: key, status: "Open", statusKind: "open", visibility: "public", ...values },
    from(key),
  );

const evil = `<img src=x onerror="alert(1)"><script>alert(2)</script><a href="javascript:alert(3)">go</a>
<iframe src="https://evil.example"></iframe><form action="https://evil.example"><input name="p"></form>
<style>body{display:none}</style><b>kept</b>`;

test("a hostile ticket neither runs scripts nor breaks its page", async () => {
  const who = { stream: null, id: null, name: '"><script>alert(4)</script>', email: null };
  const id = newTicket("evil", {
    subject: "</title><script>alert(5)</script>",
    description: { format: "html", text: evil, references: [] },
    status: "<i>odd</i>",
    author: who,
    requester: who,
    tags: ["<u>tag</u>"],
    customFields: { '"><script>': "<script>alert(6)</script>" },
  });
  desk.store.insert(
    "comments",
    { ticketId: id, visibility: "internal", body: { format: "markdown", text: evil, references: [] } },
    null,
  );
  for (const path of [`/tickets/${id}`, "/"]) {
    const { status, headers, text } = await get(path);
    expect(status).toBe(200);
    expect(text).not.toMatch(
      /<script|onerror\s*=\s*["'a]|href="javascript|<iframe|<style|<u>|<i>odd|evil\.example/i,
    );
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
  }
  const { text } = await get(`/tickets/${id}`);
  expect(text).toContain("<b>kept</b>");
  expect(text).toContain("Internal note");
});

test.each(hostileLines)("shows %j unchanged", async (line) => {
  const id = newTicket(`line-${hostileLines.indexOf(line)}`, { subject: line });
  const { status, text } = await get(`/tickets/${id}`);
  expect(status).toBe(200);
  const decoded = text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
  expect(decoded).toContain(`<bdi>${line}</bdi>`);
});

test("an imported ticket shows where it comes from", async () => {
  const id = newTicket("imp:7", { createdAt: "1969-12-31T23:59:59.000Z" });
  const { text } = await get(`/tickets/${id}`);
  expect(text).toContain("old-imp:7");
  expect(text).toContain("<code>imp:7</code>");
  expect(text).toContain("31 Dec 1969");
  const native = desk.store.insert("tickets", { subject: "Ours", status: "New", statusKind: "new" }, null);
  expect((await get(`/tickets/${native}`)).text).not.toContain("Where it comes from");
});

test("a ticket and its comments show what they were called and to whom they went", async () => {
  const into = newTicket("kept", {});
  const id = newTicket("merged", {
    number: "AD-7",
    formName: "Contact us",
    brand: "Acme Outlet",
    state: "archived",
    mergedInto: into,
    cc: ["boss@acme.example"],
  });
  desk.store.insert(
    "comments",
    {
      ticketId: id,
      visibility: "public",
      body: { format: "plain", text: "Hi", references: [] },
      kind: "forward",
      incoming: false,
      to: ["ada@acme.example"],
      channel: "email",
    },
    null,
  );
  const { text } = await get(`/tickets/${id}`);
  for (const shown of [
    "AD-7",
    "Contact us",
    "Acme Outlet",
    "archived",
    "boss@acme.example",
    `href="/tickets/${into}"`,
  ])
    expect(text).toContain(shown);
  expect(text).toContain("forwarded, by email, sent, to ada@acme.example");
});

test("a link to a file elsewhere is a link, unless browsers would run it; it has nothing to download", async () => {
  const ticket = newTicket("linked", {});
  const attach = (fileName: string, url: string) =>
    desk.store.insert(
      "attachments",
      {
        parentStream: "tickets",
        parentId: ticket,
        fileName,
        contentType: "text/html",
        size: 0,
        sha256: "",
        path: "",
        url,
      },
      null,
    );
  const plan = attach("plan.doc", "https://drive.example/plan");
  attach("evil", "javascript:alert(1)");
  const { text } = await get(`/tickets/${ticket}`);
  expect(text).toContain('href="https://drive.example/plan"');
  expect(text).not.toContain('href="javascript');
  for (const path of [`/attachments/${plan}`, `/attachments/${plan}/image`])
    expect((await get(path)).status).toBe(404);
});

test("a brand is shown with its tickets and in the list", async () => {
  const brandId = desk.store.insert("brands", { name: "Acme Lamps", active: true }, null);
  const id = newTicket("branded", { brandId, brand: "Lamps, as it was" });
  const { text } = await get(`/tickets/${id}`);
  expect(text).toContain("Acme Lamps");
  expect(text).not.toContain("Lamps, as it was");
  expect((await get("/people")).text).toContain("Acme Lamps");
});

const plainText = (text: string) => ({ format: "plain", text, references: [] });

test("links, time, ratings, categories, translations and canned answers are shown where they belong", async () => {
  const [one, other] = [newTicket("part", {}), newTicket("whole", {})];
  const { store } = desk;
  store.insert("ticketRelations", { fromTicketId: other, toTicketId: one, kind: "parent_of" }, null);
  store.insert("timeEntries", { ticketId: one, minutes: 25, note: "Wrote back." }, null);
  store.insert("ratings", { ticketId: one, score: "good", comment: "Quick." }, null);
  const page = (await get(`/tickets/${one}`)).text;
  for (const shown of ["Part of", `href="/tickets/${other}"`, "25 min", "Wrote back.", "good", "Quick."])
    expect(page).toContain(shown);
  expect((await get(`/tickets/${other}`)).text).toContain("Parent of");

  const outer = store.insert("articleCategories", { name: "Care" }, null);
  const inner = store.insert("articleCategories", { name: "Bulbs", parentCategoryId: outer }, null);
  const article = store.insert(
    "articles",
    { title: "Bulbs", body: plainText("LED."), state: "published", categoryId: inner },
    null,
  );
  const german = { articleId: article, locale: "de", title: "Leuchtmittel", body: plainText("LED, bitte.") };
  store.insert("articleTranslations", { ...german, state: "published" }, null);
  store.insert(
    "macros",
    { name: "Thanks", path: ["General"], body: plainText("Thank you!"), active: true },
    null,
  );
  const shownArticle = (await get(`/articles/${article}`)).text;
  for (const shown of ["Care › Bulbs", "Leuchtmittel", "LED, bitte."]) expect(shownArticle).toContain(shown);
  expect((await get("/articles")).text).toContain("General › Thanks");
});

test("a desk from before a field was added gets its column", async () => {
  const id = newTicket("column", { number: "AD-8" });
  desk.store.database.exec("alter table tickets drop column number");
  const again = openStore(desk.store.folder);
  expect(again.get("tickets", id)?.values.number).toBeNull();
  again.update("tickets", id, { number: "AD-9" });
  expect(again.get("tickets", id)?.values.number).toBe("AD-9");
  again.close();
});

test("images and links in a text lead to their copies", async () => {
  const references = [
    { kind: "image", url: "https://old.example/a.png", to: { stream: "attachments", id: "5" } },
    { kind: "link", url: "https://old.example/t/1", to: { stream: "tickets", id: "1" } },
  ];
  const text = '<img src="https://old.example/a.png"><a href="https://old.example/t/1">that</a>';
  const id = newTicket("refs", { description: { format: "html", text, references } });
  const page = (await get(`/tickets/${id}`)).text;
  expect(page).toContain('src="/attachments/5/image"');
  expect(page).toContain('href="/tickets/1"');
});

test.each([
  "/tickets/0",
  "/tickets/1e0",
  "/tickets/../x",
  "/tickets/99999",
  "/contacts/x",
  "/attachments/1/image",
  "/none",
])("%s is not found", async (path) => {
  expect((await get(path)).status).toBe(404);
});

test("searches treat any input as plain text", async () => {
  newTicket("percent", { subject: "100% _sure_ \\ really" });
  for (const q of ["100% _sure_ \\", "%", "' or 1=1 --", "<b>"]) {
    const { status, text } = await get(`/?q=${encodeURIComponent(q)}`);
    expect(status).toBe(200);
    expect(text.includes("really"), q).toBe(q.includes("%"));
  }
});

const reply = (id: string, fields: Record<string, string>, site = "same-origin") =>
  fetch(`${desk.pages}/tickets/${id}/replies`, {
    method: "POST",
    redirect: "manual",
    headers: { "sec-fetch-site": site },
    body: new URLSearchParams(fields),
  });

const mails = () => Number(desk.store.database.prepare("select count(*) as n from mails").get()?.n);

test("a reply written here sends a mail, an internal note doesn't, and another site's form does nothing", async () => {
  const requester = { stream: null, id: null, name: "Ada", email: "ada@example.com" };
  const id = newTicket("reply", { requester });
  expect((await reply(id, { body: "Hello", status: "pending" }, "cross-site")).status).toBe(404);
  expect(mails()).toBe(0);
  expect((await reply(id, { body: "Note", internal: "yes", status: "open" })).status).toBe(303);
  expect(mails()).toBe(0);
  expect((await reply(id, { body: "Hello", status: "pending" })).status).toBe(303);
  expect(mails()).toBe(1);
  const { text } = await get(`/tickets/${id}`);
  expect(text).toContain("Hello");
  expect(text).toContain("Pending");
  expect((await get("/mail")).text).toContain("ada@example.com");
});

test("a long list continues on the next page and shows no ticket twice", async () => {
  for (let index = 0; index < 60; index += 1) newTicket(`many-${index}`, { statusKind: "closed" });
  const seen = new Set<string>();
  let path: string | undefined = "/?status=closed";
  for (let pages = 0; path && pages < 5; pages += 1) {
    const { text } = await get(path);
    for (const [, id = ""] of text.matchAll(/href="\/tickets\/(\d+)"/g)) {
      expect(seen.has(id)).toBe(false);
      seen.add(id);
    }
    path = /<p class="more"><a href="([^"]+)"/.exec(text)?.[1]?.replaceAll("&amp;", "&");
  }
  expect(seen.size).toBe(60);
});

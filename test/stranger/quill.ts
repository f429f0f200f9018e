import { createServer, type IncomingMessage } from "node:http";
import { createRandom, hostileLines } from "@portage/connector-kit/conformance";
import { closeServer, listen } from "../vendors/kit/vendor-server.ts";

type By = { readonly client: number } | { readonly staff: number } | { readonly erased: true };

interface QuillFile {
  readonly id: number;
  readonly name: string;
  readonly type: string;
  readonly bytes: number;
}

interface Message {
  readonly id: number;
  readonly by: By;
  readonly text: string;
  readonly audience: "everyone" | "staff";
  readonly at: number;
  readonly edited: number | null;
  readonly files: readonly QuillFile[];
}

interface Case {
  readonly id: string;
  title: string;
  readonly text: string;
  readonly state: { readonly name: string; readonly ended: boolean };
  readonly by: By;
  readonly handled_by: number | null;
  readonly desk: number;
  labels: readonly string[];
  readonly private: boolean;
  readonly extra: Readonly<Record<string, string>>;
  readonly opened: number;
  changed: number;
  readonly files: readonly QuillFile[];
  removed: boolean;
}

interface Answer {
  readonly status: number;
  readonly body?: unknown;
}

const start = 1_709_280_000;
const linkSeconds = 30;
const moreSeconds = 600;

/** Two of everything that goes wrong in moves. */
const seedQuill = (seed: string, size: number) => {
  const random = createRandom(seed);
  let lastFile = 89;
  const contents = new Map<number, Buffer>();
  const file = (name: string, type: string, content: Buffer): QuillFile => {
    lastFile += 1;
    contents.set(lastFile, content);
    return { id: lastFile, name, type, bytes: content.length };
  };
  const staff = Array.from({ length: 23 }, (_, index) => ({
    id: index + 1,
    name: `Member ${index + 1}`,
    email: `member${index + 1}@acme.example`,
    admin: index === 0,
    left: index === 4,
  }));
  const companies = [
    { id: 1, name: "Acme Anvils", domains: ["anvils.example"] },
    { id: 2, name: "Größe & Söhne 🚀", domains: [] },
  ];
  const clients = Array.from({ length: 130 }, (_, index) => ({
    id: 3 * index + 5,
    name: `Client ${index}`,
    emails: index % 10 === 0 ? [] : [`client${index}@anvils.example`, `c${index}@home.example`],
    phone: index % 10 === 0 ? "+43 1 234" : null,
    company: index % 3 === 0 ? null : 1 + (index % 2),
    changed: start + index,
  }));
  const desks = [
    { id: 1, name: "Support" },
    { id: 2, name: "Returns / مرتجعات" },
  ];
  const fields = [
    { id: 4, name: "Serial number", kind: "text" },
    { id: 5, name: "Size", kind: "choice", choices: ["Small", "Large"] },
  ];
  const someone = (): By =>
    random.below(9) === 0
      ? { erased: true }
      : random.below(2) === 0
        ? { client: random.pick(clients).id }
        : { staff: random.pick(staff).id };
  const messages = new Map<string, Message[]>();
  let lastMessage = 7_000;
  const cases = Array.from({ length: size }, (_, index): Case => {
    const id = `C-${1_000 + index}`;
    const opened = start + index * 60;
    // Many change within one second: the order of changes alone is no cursor.
    const changed = index % 4 === 0 ? start + 900_000 : opened + 30;
    const said = Array.from({ length: index % 6 }, (__, reply): Message => {
      lastMessage += 1;
      return {
        id: lastMessage,
        by: someone(),
        text: `*Reply* ${reply} to [C-1000](/cases/C-1000)`,
        audience: reply % 3 === 2 ? "staff" : "everyone",
        at: opened + reply + 1,
        edited: reply === 1 ? opened + 20 : null,
        files:
          reply === 0 && index % 2 === 0
            ? [file("note.txt", "text/plain", Buffer.from(`Note ${lastMessage}`))]
            : [],
      };
    });
    messages.set(id, said);
    return {
      id,
      title: hostileLines[index] ?? `Case ${index}`,
      text: index % 7 === 0 ? "" : `**Help** with ${index}`,
      state: random.pick([
        { name: "New", ended: false },
        { name: "Waiting for us", ended: false },
        { name: "Done", ended: true },
      ]),
      by: someone(),
      handled_by: index % 3 === 0 ? null : random.pick(staff).id,
      desk: random.pick(desks).id,
      labels: index % 2 === 0 ? ["shop", "größe"] : [],
      private: index % 5 === 0,
      extra:
        index % 3 === 0
          ? { "4": `A-${index}`, "5": random.pick(["Small", "Large"]), "9": "of a removed field" }
          : {},
      opened,
      changed,
      files: index % 8 === 0 ? [file("scale.png", "image/png", Buffer.alloc(2_048, index))] : [],
      removed: index % 11 === 3,
    };
  });
  return { staff, companies, clients, desks, fields, cases, messages, contents };
};

/** Quill on loopback, as its page of documentation describes it. `now` moves with the test. */
export const startQuill = async ({ seed, size = 70 }: { readonly seed: string; readonly size?: number }) => {
  const tables = seedQuill(seed, size);
  const { staff, companies, clients, desks, fields, cases, messages, contents } = tables;
  const key = "qk_live_of_acme";
  let moved = 0;
  const now = () => Math.floor(Date.now() / 1_000) + moved;
  let minute = { at: 0, spent: 0 };
  let budget = Number.POSITIVE_INFINITY;
  const leaks: string[] = [];
  let url = "";

  const shown = (each: Case) =>
    each.removed ? { ...each, title: "", text: "", labels: [], files: [] } : each;
  const listCases = (query: URLSearchParams): Answer => {
    if (query.has("count"))
      return { status: 200, body: { count: cases.filter(({ removed }) => !removed).length } };
    const more = query.get("more");
    const asked = more
      ? (JSON.parse(Buffer.from(more, "base64url").toString()) as {
          at: number;
          offset: number;
          after: number;
          limit: number;
        })
      : {
          at: now(),
          offset: 0,
          after: Number(query.get("changed_after") ?? 0),
          limit: Math.min(Number(query.get("limit") ?? 50), 50),
        };
    if (now() - asked.at > moreSeconds) return { status: 410, body: { error: "this token is too old" } };
    const rows = cases
      .filter(({ changed }) => changed > asked.after)
      .toSorted((a, b) => a.changed - b.changed || (a.id < b.id ? -1 : 1));
    const page = rows.slice(asked.offset, asked.offset + asked.limit);
    const next = { ...asked, at: now(), offset: asked.offset + asked.limit };
    return {
      status: 200,
      body: {
        cases: page.map(shown),
        more: next.offset < rows.length ? Buffer.from(JSON.stringify(next)).toString("base64url") : null,
      },
    };
  };
  const one = (row: unknown): Answer => (row === undefined ? { status: 404 } : { status: 200, body: row });
  const liveCase = (id: string) => cases.find((each) => each.id === id && !each.removed);

  const answerOf = (path: readonly string[], query: URLSearchParams): Answer => {
    const [area = "", id, part] = path;
    if (area === "whoami") {
      const { id: owner, name, email } = staff[0] ?? { id: 0, name: "", email: "" };
      return {
        status: 200,
        body: { owner: { id: owner, name, email }, team: { slug: "acme", name: "Acme" } },
      };
    }
    if (area === "cases" && id === undefined) return listCases(query);
    if (area === "cases" && part === "messages")
      return liveCase(id ?? "")
        ? { status: 200, body: { messages: messages.get(id ?? "") } }
        : { status: 404 };
    if (area === "cases") return one(liveCase(id ?? ""));
    if (area === "extra-fields") return { status: 200, body: { fields } };
    if (area === "files" && part === "link") {
      if (!contents.has(Number(id))) return { status: 404 };
      return { status: 200, body: { url: `${url}/download/${id}?t=${now()}`, expires_in: linkSeconds } };
    }
    const table = { staff, clients, companies, desks }[area];
    if (!table) return { status: 404 };
    if (id !== undefined) return one(table.find((row) => row.id === Number(id)));
    if (area === "staff") {
      const page = Number(query.get("page") ?? 1);
      return {
        status: 200,
        body: { staff: staff.slice((page - 1) * 20, page * 20), pages: Math.ceil(staff.length / 20) },
      };
    }
    if (area !== "clients") return { status: 200, body: { [area]: table } };
    const found = clients.filter(
      (row) =>
        row.id > Number(query.get("after") ?? 0) && row.changed > Number(query.get("changed_after") ?? 0),
    );
    return { status: 200, body: { clients: found.slice(0, 100) } };
  };

  const server = createServer((request: IncomingMessage, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://quill.example");
    const send = ({ status, body }: Answer, headers = {}) =>
      void response.writeHead(status, headers).end(Buffer.isBuffer(body) ? body : JSON.stringify(body ?? {}));
    const [area, id] = pathname.slice(1).split("/");
    if (area === "download") {
      if (request.headers["quill-key"] !== undefined) leaks.push(pathname);
      const isOld = now() - Number(searchParams.get("t")) > linkSeconds;
      const content = contents.get(Number(id));
      return send(isOld || !content ? { status: 404 } : { status: 200, body: content });
    }
    if (area !== "v1" || request.method !== "GET") return send({ status: 404 });
    if (request.headers["quill-key"] !== key) return send({ status: 401 });
    const second = now();
    if (second - minute.at >= 60) minute = { at: second, spent: 0 };
    const renews = 60 - (second - minute.at);
    if (minute.spent >= budget) return send({ status: 420, body: { slow_down: renews } });
    minute.spent += 1;
    const left = Math.min(300, budget) - minute.spent;
    send(answerOf(pathname.slice("/v1/".length).split("/"), searchParams), {
      "quill-budget": `left=${Math.max(0, left)}; renews=${renews}`,
    });
  });
  url = await listen(server);
  return {
    url,
    key,
    tables,
    /** Requests with a key to addresses that must not get it. */
    leaks,
    /** From now on so many requests a minute pass. */
    allow: (requests: number) => void (budget = requests),
    /** Moves Quill's clock. */
    later: (seconds: number) => void (moved += seconds),
    touch: (id: string) => {
      const found = liveCase(id);
      if (found) found.changed = now();
    },
    remove: (id: string) => {
      const found = liveCase(id);
      if (found) Object.assign(found, { removed: true, changed: now() });
    },
    close: () => closeServer(server),
  };
};

export type Quill = Awaited<ReturnType<typeof startQuill>>;

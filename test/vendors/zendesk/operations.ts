import { randomUUID } from "node:crypto";
import { isoSeconds, unixSeconds, type VendorClock } from "../kit/clock.ts";
import type { Breaches } from "../kit/laws.ts";
import { textOf } from "../kit/text-of.ts";
import { pageOf, readCursor, type Row, rowsAfter, writeCursor } from "../kit/table.ts";
import { Refusal, type VendorAnswer, type VendorCall } from "../kit/vendor-server.ts";
import type { Jobs } from "./jobs.ts";
import type { zendeskLaws } from "./laws.ts";
import type { Organization, Ticket, User, ZendeskTables } from "./tables.ts";

export interface ZendeskNeeds {
  readonly clock: VendorClock;
  readonly tables: ZendeskTables;
  readonly jobs: Jobs;
  readonly breaches: Breaches<typeof zendeskLaws>;
  readonly url: () => string;
  /** The user whose credentials are used. */
  readonly callerId: () => number;
  readonly options: {
    readonly searchLagMs: number;
    readonly exportLagMs: number;
    readonly maxJobs: number;
    readonly bulkUsers: boolean;
  };
  /** Triggers run and mails leave. */
  readonly notify: (what: "trigger" | "mail", operation: string) => void;
}

type Input = Readonly<Record<string, unknown>>;

const uploadLifeMs = 60 * 60_000;
const largestUpload = 50 * 1024 * 1024;
const longestComment = 65_535;
const updatesPerTicket = { most: 30, perMs: 10 * 60_000 };

const words = (tags: unknown): readonly string[] => [
  ...new Set(
    ((tags as readonly string[] | undefined) ?? [])
      .flatMap((tag) => tag.toLowerCase().split(/\s+/))
      .filter((tag) => tag !== ""),
  ),
];

const notFound = () => new Refusal(404, { error: "RecordNotFound", description: "Not found" });
const invalid = (field: string, error: string, description: string) =>
  new Refusal(422, {
    error: "RecordInvalid",
    description: "Record validation errors",
    details: { [field]: [{ error, description }] },
  });

/** The API's operations, on top of the tables. */
export const zendeskOperations = (needs: ZendeskNeeds) => {
  const { clock, tables, jobs, breaches, url, options, notify } = needs;
  const { users, organizations, groups, fields, tickets, attachments, articles, suspended, sections } =
    tables;
  const uploads = new Map<
    string,
    { readonly attachments: number[]; readonly until: number; used: boolean }
  >();
  /** Cursor exports that have not ended: where each started, and how far it came. */
  const openExports = new Map<string, { readonly start: number; readonly shownTo: number }>();
  let bulkRefused = false;
  /** When each ticket was updated. */
  const updates = new Map<number, number[]>();

  const input = (call: VendorCall, name: string) => (call.body.value as Record<string, Input>)[name] ?? {};
  const inputs = (call: VendorCall, name: string) => {
    const given = (call.body.value as Record<string, readonly Input[]>)[name] ?? [];
    if (given.length > 100) {
      breaches.record("at-most-100", call.operation, `${given.length} records`);
      throw new Refusal(422, { error: "TooManyValues", description: "Over the limit of 100" });
    }
    return given;
  };
  const idsIn = (call: VendorCall, name = "ids") => {
    const ids = textOf(call.query[name])
      .split(",")
      .filter((id) => id !== "");
    if (ids.length > 100) {
      breaches.record("at-most-100", call.operation, `${ids.length} ids`);
      throw new Refusal(422, { error: "TooManyValues", description: "Over the limit of 100" });
    }
    return ids;
  };
  const live = <T extends object>(table: { get(id: number): Row<T> | undefined }, id: unknown): Row<T> => {
    const row = table.get(Number(id));
    if (!row || row.deletedAt !== null) throw notFound();
    return row;
  };
  const pageSize = (call: VendorCall, name: string, max: number) => {
    const size = Number(call.query[name] ?? max);
    if (size > max) breaches.record("page-size", call.operation, `${name}=${size}`);
    return Math.min(Math.max(size, 1), max);
  };
  const linkTo = (call: VendorCall, query: Readonly<Record<string, unknown>>) => {
    const kept = Object.entries({ ...call.query, ...query }).map(([key, value]): [string, string] => [
      key,
      textOf(value),
    ]);
    return `${url()}${call.path}?${new URLSearchParams(kept)}`;
  };

  /** A list in pages: by cursor if `page[size]` or `page[after]` is there, else by number. */
  const list = <R extends { readonly id: number }>(
    call: VendorCall,
    name: string,
    rows: readonly R[],
    wire: (row: R) => object,
  ): VendorAnswer => {
    if ("page[size]" in call.query || "page[after]" in call.query) {
      const size = pageSize(call, "page[size]", 100);
      const after = readCursor(textOf(call.query["page[after]"])) ?? { at: 0, id: 0 };
      const rest = rowsAfter(rows, () => 0, after);
      const shown = rest.slice(0, size);
      const last = shown.at(-1);
      const more = rest.length > size;
      const cursor = last ? writeCursor({ at: 0, id: last.id }) : null;
      const next = more ? linkTo(call, { "page[after]": cursor }) : null;
      const meta = { has_more: more, after_cursor: cursor, before_cursor: null };
      return { status: 200, body: { [name]: shown.map(wire), meta, links: { next, prev: null } } };
    }
    const size = pageSize(call, "per_page", 100);
    const page = Number(call.query["page"] ?? 1);
    if (page * size > 10_000) {
      breaches.record("offset-depth", call.operation, `page ${page}`);
      throw new Refusal(400, { error: "InvalidPaginationDepth", description: "Limit of 10000 records" });
    }
    const { rows: shown, more } = pageOf(rows, page, size);
    const next_page = more ? linkTo(call, { page: page + 1 }) : null;
    const previous_page = page > 1 ? linkTo(call, { page: page - 1 }) : null;
    return { status: 200, body: { [name]: shown.map(wire), count: rows.length, next_page, previous_page } };
  };

  const checkStart = (call: VendorCall, start: number) => {
    if (start * 1000 <= clock.now() - options.exportLagMs) return;
    breaches.record("start-time-not-recent", call.operation, `start_time=${start}`);
    throw new Refusal(422, { error: "InvalidValue", description: "Too recent start_time" });
  };
  const exportable = <T extends object>(table: { all(): readonly Row<T>[] }) =>
    table.all().filter(({ touchedAt }) => touchedAt <= clock.now() - options.exportLagMs);

  const exportByCursor = <T extends object>(
    call: VendorCall,
    name: string,
    table: { all(): readonly Row<T>[] },
    wire: (row: Row<T>) => object,
  ): VendorAnswer => {
    const { start_time: start, cursor } = call.query;
    const size = pageSize(call, "per_page", 1_000);
    const open = openExports.get(name);
    if (start === undefined && cursor === undefined)
      throw new Refusal(400, { error: "StartTimeMissing", description: "You must specify a start_time" });
    // One that begins after everything that was shown is another export: that one was left.
    const goesOn = open !== undefined && Number(start) > open.start && Number(start) <= open.shownTo;
    if (start !== undefined && (cursor !== undefined || goesOn))
      breaches.record("start-time-once", call.operation, `${textOf(start)} after ${open?.start}`);
    if (start !== undefined) checkStart(call, Number(start));
    const given = start === undefined ? readCursor(String(cursor)) : { at: Number(start) * 1000 - 1, id: 0 };
    if (!given) throw new Refusal(400, { error: "InvalidCursor", description: "The cursor is invalid" });
    const rest = rowsAfter(exportable(table), ({ touchedAt }) => touchedAt, given);
    const shown = rest.slice(0, size);
    const last = shown.at(-1);
    const after = last ? writeCursor({ at: last.touchedAt, id: last.id }) : writeCursor(given);
    const ended = rest.length <= size;
    const begun = start === undefined ? (open?.start ?? 0) : Number(start);
    if (ended) openExports.delete(name);
    else openExports.set(name, { start: begun, shownTo: unixSeconds(last?.touchedAt ?? 0) });
    return {
      status: 200,
      body: {
        [name]: shown.map(wire),
        after_cursor: after,
        after_url: `${url()}${call.path}?cursor=${after}`,
        before_cursor: null,
        before_url: null,
        end_of_stream: ended,
      },
    };
  };
  /** A page holds whole seconds, so it may be longer; the next one starts with the last second again. */
  const exportByTime = <R extends { readonly id: number; readonly at: number }>(
    call: VendorCall,
    name: string,
    rows: readonly R[],
    wire: (row: R) => object,
  ): VendorAnswer => {
    const start = Number(call.query["start_time"]);
    checkStart(call, start);
    const size = pageSize(call, "per_page", 1_000);
    const rest = rowsAfter(rows, ({ at }) => at, { at: start * 1000 - 1, id: 0 });
    const end = rest[Math.min(size, rest.length) - 1];
    const shown = end ? rest.filter(({ at }) => unixSeconds(at) <= unixSeconds(end.at)) : [];
    const end_time = end ? unixSeconds(end.at) : start;
    return {
      status: 200,
      body: {
        [name]: shown.map(wire),
        count: shown.length,
        end_time,
        end_of_stream: shown.length === rest.length,
        next_page: linkTo(call, { start_time: end_time }),
      },
    };
  };

  const fieldValues = (operation: string, given: unknown) =>
    ((given as readonly { id: number; value: unknown }[] | undefined) ?? []).map(({ id, value }) => {
      const field = fields.get(id);
      if (!field || field.deletedAt !== null)
        throw invalid("custom_fields", "InvalidValue", `No field ${id}`);
      const { custom_field_options: all } = field.data;
      const chosen = [value].flat().filter((each) => each !== null && each !== "");
      const wrong = all && chosen.find((each) => !all.some((option) => option.value === each));
      if (wrong !== undefined) {
        breaches.record("options-by-tag", operation, textOf(wrong));
        throw invalid("custom_fields", "InvalidValue", `${field.data.title}: ${textOf(wrong)} is invalid`);
      }
      return { id, value, tags: all ? chosen.map(String) : [] };
    });
  const attach = (operation: string, tokens: readonly string[] = []) =>
    tokens.flatMap((token) => {
      const upload = uploads.get(token);
      if (!upload || upload.used || upload.until <= clock.now()) {
        breaches.record("upload-token-once", operation, token);
        return [];
      }
      upload.used = true;
      return upload.attachments;
    });
  const moment = (operation: string, given: unknown, otherwise: number) => {
    if (given === undefined || given === null) return otherwise;
    const at = Date.parse(textOf(given));
    if (at >= 0 && at <= clock.now()) return at;
    breaches.record("dates-in-the-past", operation, textOf(given));
    throw invalid("created_at", "InvalidValue", `${textOf(given)} is out of range`);
  };
  const person = (id: unknown): number => {
    const row = users.get(Number(id));
    if (!row || row.deletedAt !== null) throw invalid("requester", "InvalidValue", `No user ${id}`);
    return row.id;
  };
  const optional = (given: unknown) => (given === undefined || given === null ? null : Number(given));

  const commentHtml = (operation: string, comment: Input) => {
    const html = textOf(comment["html_body"] ?? comment["value"] ?? comment["body"]);
    if (html.length > longestComment)
      breaches.record("comments-have-64-kb", operation, `${html.length} characters`);
    return html.slice(0, longestComment);
  };

  /** Makes a ticket; `silent` as imports are. */
  const makeTicket = (operation: string, given: Input, silent: boolean, archive: boolean): Row<Ticket> => {
    const now = clock.now();
    const createdAt = silent ? moment(operation, given["created_at"], now) : now;
    const requester = person(given["requester_id"] ?? needs.callerId());
    const values = fieldValues(operation, given["custom_fields"]);
    const sent = (given["comments"] ?? [
      given["comment"] ?? { value: given["description"] ?? "" },
    ]) as readonly Input[];
    const comments = sent.map((comment) =>
      tables.newComment({
        author_id: person(comment["author_id"] ?? requester),
        html_body: commentHtml(operation, comment),
        public: comment["public"] !== false,
        createdAt: silent ? moment(operation, comment["created_at"], createdAt) : now,
        attachments: attach(operation, comment["uploads"] as readonly string[] | undefined),
      }),
    );
    const key = given["external_id"];
    if (typeof key === "string" && tickets.live().some(({ data }) => data.external_id === key))
      breaches.record("external-id-not-unique", operation, key);
    const status = textOf(given["status"], "open");
    if (!silent) {
      notify("trigger", operation);
      notify("mail", operation);
    }
    return tickets.insert({
      createdAt,
      updatedAt: silent ? moment(operation, given["updated_at"], createdAt) : now,
      written: true,
      archived: archive && status === "closed",
      data: {
        subject: (given["subject"] as string | undefined) ?? null,
        status,
        priority: (given["priority"] as string | null | undefined) ?? null,
        type: (given["type"] as string | null | undefined) ?? null,
        requester_id: requester,
        submitter_id: optional(given["submitter_id"]) ?? requester,
        assignee_id: optional(given["assignee_id"]),
        group_id: optional(given["group_id"]),
        organization_id: optional(given["organization_id"]),
        external_id: (key as string | null | undefined) ?? null,
        problem_id: optional(given["problem_id"]),
        tags: [...new Set([...words(given["tags"]), ...values.flatMap((each) => each.tags)])],
        custom_fields: values.map(({ id, value }) => ({ id, value })),
        collaborator_ids: (given["collaborator_ids"] as readonly number[] | undefined) ?? [],
        due_at: given["type"] === "task" ? ((given["due_at"] as string | null | undefined) ?? null) : null,
        comments,
        imported: silent,
      },
    });
  };

  const startJob = (
    call: VendorCall,
    given: readonly Input[],
    act: (item: Input) => { readonly id: number },
  ): VendorAnswer => {
    const { operation } = call;
    const keys = given.flatMap(({ external_id: key }) => (typeof key === "string" ? key : []));
    const running = new Set(jobs.open().flatMap((job) => job.keys));
    const again = keys.filter((key) => running.has(key));
    if (again.length > 0) breaches.record("jobs-are-polled", operation, again.slice(0, 3).join(", "));
    if (jobs.open().length >= options.maxJobs) {
      breaches.record("few-jobs-at-once", operation, `${options.maxJobs} jobs`);
      throw new Refusal(429, { error: "TooManyJobs", description: "Too many jobs" }, { "retry-after": "5" });
    }
    return jobs.start(operation, keys, given.length, () =>
      given.map((item, index) => {
        try {
          return { index, id: act(item).id };
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
          return { index, error: "RecordInvalid", details: error.message };
        }
      }),
    );
  };

  const sameText = (a: string | null, b: unknown) =>
    a !== null && typeof b === "string" && a.toLowerCase() === b.toLowerCase();
  const userData = (given: Input): Partial<User> => {
    const { skip_verify_email: _, verified: __, identities: ___, organization: ____, ...data } = given;
    return data;
  };
  const createUser = (operation: string, given: Input): Row<User> => {
    const email = (given["email"] as string | null | undefined) ?? null;
    if (typeof given["name"] !== "string" || given["name"] === "")
      throw invalid("name", "BlankValue", "Name: cannot be blank");
    if (email !== null && users.live().some(({ data }) => sameText(data.email, email)))
      throw invalid("email", "DuplicateValue", `Email: ${email} is already being used by another user`);
    if (email !== null && given["skip_verify_email"] !== true) {
      breaches.record("skip-verify-email", operation, email);
      notify("mail", operation);
    }
    const empty = {
      phone: null,
      organization_id: null,
      external_id: null,
      user_fields: {},
      notes: null,
      tags: [],
    };
    const data = { ...empty, role: "end-user", ...userData(given), email } as User;
    return users.insert({ data, written: true });
  };
  const upsertUser = (
    operation: string,
    given: Input,
  ): { readonly row: Row<User>; readonly made: boolean } => {
    const known =
      users.live().find(({ data }) => sameText(data.external_id, given["external_id"])) ??
      users.live().find(({ data }) => sameText(data.email, given["email"]));
    if (!known) return { row: createUser(operation, given), made: true };
    const changed = Object.entries(userData(given)).filter(
      ([name, value]) => JSON.stringify(known.data[name as keyof User]) !== JSON.stringify(value),
    );
    // Who is only named is not updated.
    if (changed.length === 0) return { row: known, made: false };
    return { row: users.update(known.id, userData(given)), made: false };
  };
  const bulkUsers = (call: VendorCall, act: (item: Input) => { readonly id: number }) => {
    if (!options.bulkUsers) {
      if (bulkRefused) breaches.record("bulk-users-off", call.operation, "called again after 403");
      bulkRefused = true;
      throw new Refusal(403, { error: "Forbidden", description: "Bulk user imports are not enabled" });
    }
    return startJob(call, inputs(call, "users"), act);
  };
  const nameTaken = (name: unknown, besides?: number) =>
    organizations.live().some(({ id, data }) => id !== besides && sameText(data.name, name));
  const createOrganization = (given: Input): Row<Organization> => {
    if (typeof given["name"] !== "string" || given["name"] === "")
      throw invalid("name", "BlankValue", "Name: cannot be blank");
    if (nameTaken(given["name"]))
      throw invalid("name", "DuplicateValue", `Name: ${given["name"]} has already been taken`);
    const empty = {
      external_id: null,
      domain_names: [],
      details: null,
      notes: null,
      tags: [],
      organization_fields: {},
    };
    return organizations.insert({ data: { ...empty, ...given } as unknown as Organization, written: true });
  };
  const changeOrganization = (id: number, given: Input) => {
    if (nameTaken(given["name"], id))
      throw invalid("name", "DuplicateValue", `Name: ${given["name"]} has already been taken`);
    const { id: _, ...data } = given;
    return organizations.update(id, data);
  };

  const ok = (name: string, body: object, status = 200): VendorAnswer => ({ status, body: { [name]: body } });
  const gone: VendorAnswer = { status: 204 };
  const updateTicket = (call: VendorCall): VendorAnswer => {
    const row = live(tickets, call.params["ticket_id"]);
    const given = input(call, "ticket");
    const comment = given["comment"] as Input | undefined;
    const isPublic = comment !== undefined && comment["public"] !== false;
    if (row.data.imported && isPublic)
      breaches.record("no-update-after-import", call.operation, `ticket ${row.id}`);
    const now = clock.now();
    const before = (updates.get(row.id) ?? []).filter((at) => at > now - updatesPerTicket.perMs);
    if (before.length >= updatesPerTicket.most) {
      breaches.record("one-import-per-ticket", call.operation, `ticket ${row.id}`);
      throw new Refusal(
        429,
        { error: "TooManyRequests", description: "Too many updates of one ticket" },
        { "retry-after": "600" },
      );
    }
    updates.set(row.id, [...before, now]);
    if (row.data.status === "closed") {
      breaches.record("closed-is-final", call.operation, `ticket ${row.id}`);
      throw invalid("status", "InvalidValue", "Status: closed prevents ticket update");
    }
    notify("trigger", call.operation);
    if (isPublic) notify("mail", call.operation);
    const { comment: _, custom_fields, tags, ...data } = given;
    const changed = custom_fields === undefined ? null : fieldValues(call.operation, custom_fields);
    const added = comment && [
      tables.newComment({
        author_id: person(comment["author_id"] ?? needs.callerId()),
        html_body: commentHtml(call.operation, comment),
        public: isPublic,
        createdAt: now,
        attachments: attach(call.operation, comment["uploads"] as readonly string[] | undefined),
      }),
    ];
    const updated = tickets.update(row.id, {
      ...(data as Partial<Ticket>),
      ...(tags !== undefined && { tags: words(tags) }),
      ...(changed && {
        custom_fields: [
          ...row.data.custom_fields.filter(({ id }) => !changed.some((each) => each.id === id)),
          ...changed.map(({ id, value }) => ({ id, value })),
        ],
      }),
      ...(added && { comments: [...row.data.comments, ...added] }),
    });
    return { status: 200, body: { ticket: tables.ticketWire(updated), audit: {} } };
  };
  const search = (call: VendorCall): VendorAnswer => {
    breaches.record("find-by-external-id", call.operation, textOf(call.query["query"]));
    const terms = textOf(call.query["query"]).toLowerCase().split(/\s+/);
    const wanted = terms
      .filter((term) => !term.startsWith("type:"))
      .map((term) => term.replace("external_id:", ""));
    const fits = (row: Row<object>) =>
      wanted.every((term) => JSON.stringify(row.data).toLowerCase().includes(term));
    const found = tickets.indexed(options.searchLagMs).filter((row) => fits(row) && !row.archived);
    return list(call, "results", found, tables.ticketWire);
  };
  const events = (whole: boolean) =>
    exportable(tickets).flatMap(({ data, id: ticket }) => [
      ...data.comments.map((comment) => {
        const { id, createdAt: at, author_id: by } = comment;
        const event_type = comment.isCall ? "VoiceComment" : "Comment";
        const child = whole ? { ...tables.commentWire(comment, true), event_type } : { id, event_type };
        return { id, at, ticket, by, child };
      }),
      ...(data.commentChanges ?? []).map(({ at, ...child }) => ({
        id: child.id,
        at,
        ticket,
        by: data.assignee_id ?? data.submitter_id,
        child,
      })),
    ]);
  const ticketsById = (ids: readonly string[]) => tickets.live().filter(({ id }) => ids.includes(String(id)));
  const count = (rows: readonly unknown[]): VendorAnswer =>
    ok("count", { value: rows.length, refreshed_at: isoSeconds(clock.now()) });
  const removeTickets = (call: VendorCall, act: (id: number) => void) => {
    const ids = idsIn(call).map(Number);
    return jobs.start(call.operation, [], ids.length, () =>
      ids.map((id) => {
        const known = tickets.get(id) !== undefined;
        if (known) act(id);
        return { id, action: "delete", success: known, status: known ? "Deleted" : "NotFound" };
      }),
    );
  };

  const handlers: Record<string, (call: VendorCall) => VendorAnswer> = {
    "GET /api/v2/incremental/tickets/cursor": (call) =>
      exportByCursor(call, "tickets", tickets, tables.exportedTicketWire),
    "GET /api/v2/incremental/users/cursor": (call) => exportByCursor(call, "users", users, tables.userWire),
    "GET /api/v2/incremental/organizations": (call) =>
      exportByTime(
        call,
        "organizations",
        exportable(organizations)
          .filter(({ deletedAt }) => deletedAt === null)
          .map((row) => ({ ...row, at: row.touchedAt })),
        tables.organizationWire,
      ),
    "GET /api/v2/incremental/ticket_events": (call) =>
      exportByTime(
        call,
        "ticket_events",
        events(call.query["include"] === "comment_events"),
        ({ id, at, ticket, by, child }) => ({
          id: id + 1_000_000,
          ticket_id: ticket,
          timestamp: unixSeconds(at),
          created_at: isoSeconds(at),
          updater_id: by,
          via: "Web form",
          event_type: "Audit",
          child_events: [{ ...child, via: "Web form" }],
        }),
      ),
    "GET /api/v2/tickets": (call) => {
      const key = call.query["external_id"];
      const later = Number(call.query["page"] ?? 1) > 1 || "page[after]" in call.query;
      if (key === undefined && later)
        breaches.record("export-not-list", call.operation, "past the first page");
      const found = tickets
        .live()
        .filter(({ archived, data }) => (key === undefined ? !archived : data.external_id === key));
      const rows =
        call.query["sort"] === "-updated_at"
          ? found.toSorted((a, b) => b.updatedAt - a.updatedAt).slice(0, 100)
          : found;
      return list(call, "tickets", rows, tables.ticketWire);
    },
    "GET /api/v2/tickets/{ticket_id}": (call) =>
      ok("ticket", tables.ticketWire(live(tickets, call.params["ticket_id"]))),
    "GET /api/v2/tickets/count": () => count(tickets.live().filter(({ archived }) => !archived)),
    "GET /api/v2/tickets/show_many": (call) => ({
      status: 200,
      body: { tickets: ticketsById(idsIn(call)).map(tables.ticketWire) },
    }),
    "GET /api/v2/tickets/{ticket_id}/comments": (call) =>
      list(call, "comments", live(tickets, call.params["ticket_id"]).data.comments, (comment) =>
        tables.commentWire(comment, call.query["include_inline_images"] === true),
      ),
    "PUT /api/v2/tickets/{ticket_id}/comments/{ticket_comment_id}/make_private": (call) => {
      const { id, data } = live(tickets, call.params["ticket_id"]);
      const comment = data.comments.find((each) => each.id === Number(call.params["ticket_comment_id"]));
      if (!comment) throw notFound();
      tables.makePrivate(id, comment.id);
      return { status: 200, body: "" };
    },
    "POST /api/v2/tickets": (call) => {
      breaches.record("import-not-create", call.operation, "one ticket");
      return ok(
        "ticket",
        tables.ticketWire(makeTicket(call.operation, input(call, "ticket"), false, false)),
        201,
      );
    },
    "POST /api/v2/tickets/create_many": (call) => {
      breaches.record("import-not-create", call.operation, "many tickets");
      return startJob(call, inputs(call, "tickets"), (item) =>
        makeTicket(call.operation, item, false, false),
      );
    },
    "POST /api/v2/imports/tickets": (call) =>
      ok(
        "ticket",
        tables.ticketWire(
          makeTicket(call.operation, input(call, "ticket"), true, call.query["archive_immediately"] === true),
        ),
        201,
      ),
    "POST /api/v2/imports/tickets/create_many": (call) =>
      startJob(call, inputs(call, "tickets"), (item) =>
        makeTicket(call.operation, item, true, call.query["archive_immediately"] === true),
      ),
    "PUT /api/v2/tickets/{ticket_id}": updateTicket,
    "DELETE /api/v2/tickets/{ticket_id}": (call) => {
      tickets.remove(live(tickets, call.params["ticket_id"]).id);
      return gone;
    },
    "DELETE /api/v2/tickets/destroy_many": (call) => removeTickets(call, tickets.remove),
    "GET /api/v2/deleted_tickets": (call) =>
      list(
        call,
        "deleted_tickets",
        tickets.all().filter(({ deletedAt, archived }) => deletedAt !== null && !archived),
        ({ id, data, deletedAt }) => ({
          id,
          subject: data.subject ?? "",
          actor: { id: needs.callerId(), name: "Agent" },
          deleted_at: isoSeconds(deletedAt ?? 0),
          previous_state: data.status,
        }),
      ),
    "DELETE /api/v2/deleted_tickets/destroy_many": (call) => {
      const ids = idsIn(call).map(Number);
      return jobs.start(call.operation, [], ids.length, () => {
        const deleted = ids.filter((id) => (tickets.get(id)?.deletedAt ?? null) !== null);
        const alive = ids.find((id) => tickets.get(id)?.deletedAt === null);
        if (alive !== undefined) breaches.record("deleted-before-purged", call.operation, `ticket ${alive}`);
        for (const id of deleted) tickets.purge(id);
        return { success: deleted.length === ids.length };
      });
    },
    "PUT /api/v2/deleted_tickets/restore_many": (call) => {
      for (const id of idsIn(call)) if (tickets.get(Number(id))) tickets.restore(Number(id));
      return { status: 200, body: {} };
    },
    "GET /api/v2/suspended_tickets": (call) =>
      list(call, "suspended_tickets", suspended.live(), tables.suspendedWire),
    "GET /api/v2/search": search,
    "GET /api/v2/search/export": search,
    "GET /api/v2/job_statuses": (call) =>
      list(
        call,
        "job_statuses",
        jobs.all().map((job, index) => ({ id: index + 1, job })),
        ({ job }) => job,
      ),
    "GET /api/v2/job_statuses/{job_status_id}": (call) => {
      const job = jobs.get(String(call.params["job_status_id"]));
      if (!job) throw notFound();
      return ok("job_status", job);
    },
    "GET /api/v2/job_statuses/show_many": (call) => ({
      status: 200,
      body: { job_statuses: idsIn(call).flatMap((id) => jobs.get(id) ?? []) },
    }),
    "POST /api/v2/uploads": (call) => {
      const name = call.query["filename"];
      if (typeof name !== "string")
        throw new Refusal(400, { error: "FilenameMissing", description: "No filename" });
      if (call.body.bytes.length > largestUpload)
        throw new Refusal(413, { error: "AttachmentTooLarge", description: "Attachment is too large" });
      const given = call.query["token"];
      const token = typeof given === "string" ? given : randomUUID();
      const upload = uploads.get(token) ?? {
        attachments: [],
        until: clock.now() + uploadLifeMs,
        used: false,
      };
      const mediaType = call.body.mediaType ?? "application/octet-stream";
      const id = tables.storeAttachment({ name, mediaType, content: call.body.bytes }, false);
      upload.attachments.push(id);
      uploads.set(token, upload);
      const all = upload.attachments.map(tables.attachmentWire);
      return ok("upload", { token, attachment: tables.attachmentWire(id), attachments: all }, 201);
    },
    "DELETE /api/v2/uploads/{token}": (call) => {
      uploads.delete(String(call.params["token"]));
      return gone;
    },
    "GET /api/v2/attachments/{attachment_id}": (call) =>
      ok("attachment", tables.attachmentWire(live(attachments, call.params["attachment_id"]).id)),
    "GET /api/v2/users/me": () => ok("user", tables.userWire(live(users, needs.callerId()))),
    "GET /api/v2/users": (call) => {
      const role = call.query["role"];
      const key = call.query["external_id"];
      const fits = ({ data }: Row<User>) =>
        (role === undefined || data.role === role) && (key === undefined || data.external_id === key);
      return list(call, "users", users.live().filter(fits), tables.userWire);
    },
    "GET /api/v2/users/count": () => count(users.live()),
    // A deleted user is still shown, as inactive.
    "GET /api/v2/users/{user_id}": (call) => {
      const row = users.get(Number(call.params["user_id"]));
      if (!row) throw notFound();
      return ok("user", tables.userWire(row));
    },
    "GET /api/v2/users/{user_id}/related": (call) => {
      const { id } = live(users, call.params["user_id"]);
      const howMany = (is: (ticket: Ticket) => boolean) =>
        tickets.live().filter(({ data }) => is(data)).length;
      return ok("user_related", {
        requested_tickets: howMany(({ requester_id }) => requester_id === id),
        assigned_tickets: howMany(({ assignee_id }) => assignee_id === id),
        ccd_tickets: howMany(({ collaborator_ids }) => collaborator_ids.includes(id)),
        organization_subscriptions: 0,
      });
    },
    "GET /api/v2/users/show_many": (call) => {
      const ids = idsIn(call);
      const keys = idsIn(call, "external_ids");
      const fits = ({ id, data }: Row<User>) =>
        ids.includes(String(id)) || keys.some((key) => sameText(data.external_id, key));
      return { status: 200, body: { users: users.live().filter(fits).map(tables.userWire) } };
    },
    "GET /api/v2/users/search": (call) => {
      const key = call.query["external_id"];
      if (key !== undefined)
        return list(
          call,
          "users",
          users.live().filter(({ data }) => sameText(data.external_id, key)),
          tables.userWire,
        );
      breaches.record("find-by-external-id", call.operation, textOf(call.query["query"]));
      const wanted = textOf(call.query["query"]).toLowerCase();
      const found = users
        .indexed(options.searchLagMs)
        .filter(({ data }) => JSON.stringify(data).toLowerCase().includes(wanted));
      return list(call, "users", found, tables.userWire);
    },
    "POST /api/v2/users": (call) =>
      ok("user", tables.userWire(createUser(call.operation, input(call, "user"))), 201),
    "POST /api/v2/users/create_or_update": (call) => {
      const { row, made } = upsertUser(call.operation, input(call, "user"));
      return ok("user", tables.userWire(row), made ? 201 : 200);
    },
    "POST /api/v2/users/create_many": (call) => bulkUsers(call, (item) => createUser(call.operation, item)),
    "POST /api/v2/users/create_or_update_many": (call) =>
      bulkUsers(call, (item) => upsertUser(call.operation, item).row),
    "PUT /api/v2/users/{user_id}": (call) =>
      ok(
        "user",
        tables.userWire(users.update(live(users, call.params["user_id"]).id, userData(input(call, "user")))),
      ),
    "DELETE /api/v2/users/{user_id}": (call) => {
      const { id } = live(users, call.params["user_id"]);
      const open = tickets
        .live()
        .some(({ data }) => data.requester_id === id && !["solved", "closed"].includes(data.status));
      if (open) throw invalid("base", "InvalidValue", "The user has open tickets");
      return ok("user", tables.userWire(users.remove(id)));
    },
    "DELETE /api/v2/deleted_users/{deleted_user_id}": (call) => {
      const row = users.get(Number(call.params["deleted_user_id"]));
      if (!row || row.deletedAt === null) throw notFound();
      users.purge(row.id);
      const { user_fields: _, notes: __, tags: ___, external_id: ____, ...shown } = tables.userWire(row);
      const { suspended: _s, shared: _h, verified: _v, details: _d, ...kept } = shown;
      return ok("deleted_user", {
        ...kept,
        email: kept.email ?? "",
        organization_id: kept.organization_id ?? 0,
        shared_phone_number: null,
        photo: null,
        locale_id: 1,
      });
    },
    "GET /api/v2/organizations": (call) =>
      list(call, "organizations", organizations.live(), tables.organizationWire),
    "GET /api/v2/organizations/count": () => count(organizations.live()),
    "GET /api/v2/organizations/{organization_id}": (call) =>
      ok("organization", tables.organizationWire(live(organizations, call.params["organization_id"]))),
    "GET /api/v2/organizations/show_many": (call) => {
      const ids = idsIn(call);
      const keys = idsIn(call, "external_ids");
      const fits = ({ id, data }: Row<Organization>) =>
        ids.includes(String(id)) || keys.some((key) => sameText(data.external_id, key));
      return {
        status: 200,
        body: { organizations: organizations.live().filter(fits).map(tables.organizationWire) },
      };
    },
    "GET /api/v2/organizations/search": (call) => {
      const { external_id: key, name } = call.query;
      const fits = ({ data }: Row<Organization>) =>
        sameText(data.external_id, key) || sameText(data.name, name);
      return list(call, "organizations", organizations.live().filter(fits), tables.organizationWire);
    },
    "POST /api/v2/organizations": (call) =>
      ok("organization", tables.organizationWire(createOrganization(input(call, "organization"))), 201),
    "POST /api/v2/organizations/create_or_update": (call) => {
      const given = input(call, "organization");
      const known = organizations
        .live()
        .find(({ id, data }) => id === given["id"] || sameText(data.external_id, given["external_id"]));
      return known
        ? ok("organization", tables.organizationWire(changeOrganization(known.id, given)))
        : ok("organization", tables.organizationWire(createOrganization(given)), 201);
    },
    "PUT /api/v2/organizations/{organization_id}": (call) => {
      const { id } = live(organizations, call.params["organization_id"]);
      return ok("organization", tables.organizationWire(changeOrganization(id, input(call, "organization"))));
    },
    "DELETE /api/v2/organizations/{organization_id}": (call) => {
      organizations.remove(live(organizations, call.params["organization_id"]).id);
      return gone;
    },
    "GET /api/v2/groups": (call) => list(call, "groups", groups.live(), tables.groupWire),
    "GET /api/v2/groups/{group_id}": (call) =>
      ok("group", tables.groupWire(live(groups, call.params["group_id"]))),
    "POST /api/v2/groups": (call) => {
      const { name, description } = input(call, "group");
      const data = { name: textOf(name), description: textOf(description) };
      return ok("group", tables.groupWire(groups.insert({ data, written: true })), 201);
    },
    "PUT /api/v2/groups/{group_id}": (call) => {
      const { id } = live(groups, call.params["group_id"]);
      const { name, description } = input(call, "group");
      const data = {
        ...(name !== undefined && { name: textOf(name) }),
        ...(description !== undefined && { description: textOf(description) }),
      };
      return ok("group", tables.groupWire(groups.update(id, data)));
    },
    "DELETE /api/v2/groups/{group_id}": (call) => {
      groups.remove(live(groups, call.params["group_id"]).id);
      return gone;
    },
    "GET /api/v2/ticket_fields": (call) => list(call, "ticket_fields", fields.live(), tables.fieldWire),
    "GET /api/v2/ticket_forms": () => ({
      status: 200,
      body: { ticket_forms: tables.forms.live().map((row) => tables.formWire(row)) },
    }),
    "GET /api/v2/brands": (call) => list(call, "brands", tables.brands.live(), tables.brandWire),
    "GET /api/v2/user_fields": (call) => list(call, "user_fields", [], () => ({})),
    "GET /api/v2/organization_fields": (call) => list(call, "organization_fields", [], () => ({})),
    "POST /api/v2/ticket_fields": (call) => {
      const given = input(call, "ticket_field");
      const choices = given["custom_field_options"] as readonly { name: string; value: string }[] | undefined;
      const data = {
        title: textOf(given["title"]),
        type: textOf(given["type"]),
        tag: null,
        agent_description: textOf(given["agent_description"]),
        ...(choices && {
          custom_field_options: choices.map((option, index) => ({ ...option, id: 56_000 + index })),
        }),
      };
      return ok("ticket_field", tables.fieldWire(fields.insert({ data, written: true })), 201);
    },
    "DELETE /api/v2/ticket_fields/{ticket_field_id}": (call) => {
      fields.remove(live(fields, call.params["ticket_field_id"]).id);
      return gone;
    },
    "GET /api/v2/help_center/articles": (call) => list(call, "articles", articles.live(), tables.articleWire),
    "GET /api/v2/help_center/articles/{article_id}": (call) =>
      ok("article", tables.articleWire(live(articles, call.params["article_id"]))),
    "GET /api/v2/help_center/sections": (call) =>
      list(call, "sections", sections.live(), ({ id, data }) => ({ id, name: data.name, category_id: 1 })),
    "GET /api/v2/help_center/categories": (call) =>
      list(call, "categories", [{ id: 1 }], ({ id }) => ({ id, name: "General" })),
    "POST /api/v2/help_center/sections/{section_id}/articles": (call) => {
      const given = input(call, "article");
      if ((call.body.value as Input)["notify_subscribers"] !== false) {
        breaches.record("silent-articles", call.operation, textOf(given["title"]));
        notify("mail", call.operation);
      }
      const data = {
        title: textOf(given["title"]),
        body: textOf(given["body"]),
        author_id: optional(given["author_id"]) ?? needs.callerId(),
        section_id: live(sections, call.params["section_id"]).id,
        locale: textOf(given["locale"], "en-us"),
        draft: given["draft"] === true,
        label_names: (given["label_names"] as readonly string[] | undefined) ?? [],
      };
      return ok("article", tables.articleWire(articles.insert({ data, written: true })), 201);
    },
    "DELETE /api/v2/help_center/articles/{article_id}": (call) => {
      articles.remove(live(articles, call.params["article_id"]).id);
      return gone;
    },
  };
  return handlers;
};

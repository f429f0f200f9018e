import type { VendorClock } from "../kit/clock.ts";
import type { Breaches } from "../kit/laws.ts";
import type { SentFile } from "../kit/read-body.ts";
import { pageOf, type Row } from "../kit/table.ts";
import { textOf } from "../kit/text-of.ts";
import { Refusal, type VendorAnswer, type VendorCall } from "../kit/vendor-server.ts";
import type { freshdeskLaws } from "./laws.ts";
import type { Company, FreshdeskTables, Group, Person, Ticket } from "./tables.ts";

export interface FreshdeskNeeds {
  readonly clock: VendorClock;
  readonly tables: FreshdeskTables;
  readonly breaches: Breaches<typeof freshdeskLaws>;
  readonly url: () => string;
  readonly callerId: () => number;
  readonly options: { readonly searchLagMs: number; readonly notifications: boolean };
  readonly mail: () => void;
}

/** What every account has. */
const ticketTypes = ["Question", "Incident", "Problem", "Feature Request"];
const defaultFields = [
  {
    id: 11,
    name: "status",
    label: "Status",
    type: "default_status",
    choices: {
      2: ["Open", "Being Processed"],
      3: ["Pending", "Awaiting your Reply"],
      4: ["Resolved", "This ticket has been Resolved"],
      5: ["Closed", "This ticket has been Closed"],
    },
  },
  { id: 12, name: "ticket_type", label: "Type", type: "default_ticket_type", choices: ticketTypes },
];

type Input = Readonly<Record<string, unknown>>;

const recentMs = 30 * 86_400_000;
const largestFiles = 20 * 1024 * 1024;

const notFound = () => new Refusal(404);
const invalid = (field: string, code: string, message: string, status = 400, more: object = {}) =>
  new Refusal(status, { description: "Validation failed", errors: [{ field, message, code, ...more }] });

/** The API's operations, on top of the tables. */
export const freshdeskOperations = (needs: FreshdeskNeeds) => {
  const { clock, tables, breaches, options } = needs;
  const { people, companies, groups, fields, tickets, categories, folders, articles } = tables;
  const bodyOf = (call: VendorCall) => (call.body.value ?? {}) as Input;
  const live = <T extends object>(table: { get(id: number): Row<T> | undefined }, id: unknown): Row<T> => {
    const row = table.get(Number(id));
    if (!row || row.deletedAt !== null) throw notFound();
    return row;
  };
  const contact = (id: unknown) => {
    const row = people.get(Number(id));
    if (!row || row.data.kind !== "contact") throw notFound();
    return row;
  };
  const same = (a: string | null, b: unknown) =>
    a !== null && typeof b === "string" && a.toLowerCase() === b.toLowerCase();
  const ok = (body: unknown, status = 200): VendorAnswer => ({ status, body });
  const gone: VendorAnswer = { status: 204 };

  /** Pages by number; a Link header leads to the next one. */
  const list = <R>(call: VendorCall, rows: readonly R[], wire: (row: R) => object): VendorAnswer => {
    const page = Number(call.query["page"] ?? 1);
    const { rows: shown, more } = pageOf(rows, page, Number(call.query["per_page"] ?? 30));
    const next = new URLSearchParams(
      Object.entries({ ...call.query, page: page + 1 }).map(([key, value]): [string, string] => [
        key,
        textOf(value),
      ]),
    );
    const headers = { link: `<${needs.url()}${call.path}?${next}>; rel="next"` };
    return { status: 200, body: shown.map(wire), ...(more && { headers }) };
  };

  const listTickets = (call: VendorCall): VendorAnswer => {
    const {
      filter,
      updated_since: since,
      requester_id: requester,
      order_by: by,
      order_type: order,
      include,
    } = call.query;
    // A look at one ticket is no listing.
    if (since === undefined && requester === undefined && call.query["per_page"] !== 1)
      breaches.record("updated-since", call.operation, `page ${textOf(call.query["page"], "1")}`);
    if (Number(call.query["page"] ?? 1) > 300) {
      breaches.record("page-300", call.operation, textOf(call.query["page"]));
      throw invalid("page", "invalid_value", "You cannot access tickets beyond the 300th page.");
    }
    const from = typeof since === "string" ? Date.parse(since) : null;
    const fits = (row: Row<Ticket>) =>
      (filter === "deleted" ? row.deletedAt !== null : row.deletedAt === null) &&
      row.data.spam === (filter === "spam") &&
      !row.archived &&
      (requester === undefined || row.data.requester_id === requester) &&
      (from === null ? row.createdAt > clock.now() - recentMs : row.updatedAt >= from);
    const moment = ({ createdAt, updatedAt }: Row<Ticket>) => (by === "updated_at" ? updatedAt : createdAt);
    const sign = order === "asc" ? 1 : -1;
    const rows = tickets
      .all()
      .filter(fits)
      .toSorted((a, b) => sign * (moment(a) - moment(b) || a.id - b.id));
    return list(call, rows, (row) => tables.ticketWire(row, include === "description"));
  };

  const bytesOf = ({ attachments, conversations }: Ticket) =>
    [...attachments, ...conversations.flatMap((each) => each.attachments)].reduce(
      (sum, id) => sum + tables.attachmentWire(id).size,
      0,
    );
  const storeFiles = (call: VendorCall, ticket?: Row<Ticket>): readonly number[] => {
    const { files } = call.body;
    if (files.length === 0) return [];
    const bytes = files.reduce((sum, file) => sum + file.bytes.length, 0);
    if (bytes > largestFiles) breaches.record("files-20-mb", call.operation, `${bytes} bytes`);
    if (bytes + (ticket ? bytesOf(ticket.data) : 0) > largestFiles)
      throw invalid("attachments", "invalid_size", "The total size of all attachments exceeds 20 MB.");
    return files.map(({ name, mediaType, bytes: content }: SentFile) =>
      tables.storeFile({ name, mediaType, content }),
    );
  };
  const fieldNames = () =>
    new Map(
      fields
        .live()
        .flatMap(({ data }) => [
          [data.name, data] as const,
          ...(data.nested_ticket_fields ?? []).map(
            (nested) => [nested.name, { ...data, choices: null }] as const,
          ),
        ]),
    );
  const customFields = (call: VendorCall, given: unknown): Readonly<Record<string, unknown>> => {
    const values = (given ?? {}) as Readonly<Record<string, unknown>>;
    const known = fieldNames();
    for (const [name, value] of Object.entries(values)) {
      const field = known.get(name);
      if (!field) {
        breaches.record("fields-exist", call.operation, name);
        throw invalid(name, "invalid_field", "Unexpected/invalid field in request");
      }
      const choices = Array.isArray(field.choices) ? (field.choices as unknown[]) : null;
      if (choices && choices.length > 0 && value !== null && !choices.includes(value)) {
        breaches.record("options-exist", call.operation, `${name}: ${textOf(value)}`);
        throw invalid(
          name,
          "invalid_value",
          `It should be one of these values: ${choices.map((each) => textOf(each)).join(", ")}`,
        );
      }
    }
    return values;
  };
  const checkType = (call: VendorCall, type: unknown) => {
    if (type === undefined || type === null || ticketTypes.includes(textOf(type))) return;
    breaches.record("options-exist", call.operation, `type: ${textOf(type)}`);
    throw invalid("type", "invalid_value", `It should be one of these values: ${ticketTypes.join(", ")}`);
  };
  const number = (given: unknown) => (given === undefined || given === null ? null : Number(given));
  const requesterOf = (given: Input): number => {
    const { requester_id: id, email, phone } = given;
    if (id !== undefined) {
      if (!people.get(Number(id)) || people.get(Number(id))?.deletedAt !== null)
        throw invalid("requester_id", "invalid_value", "There is no contact matching the given requester_id");
      return Number(id);
    }
    if (typeof email !== "string" && typeof phone !== "string")
      throw invalid("requester_id", "missing_field", "One of requester_id, phone, email is mandatory");
    const known = people.live().find(({ data }) => same(data.email, email) || same(data.phone, phone));
    return (
      known?.id ??
      people.insert({
        data: {
          ...newPerson,
          name: textOf(email, textOf(phone)),
          email: typeof email === "string" ? email : null,
          phone: typeof phone === "string" ? phone : null,
        },
        written: true,
      }).id
    );
  };
  const newPerson: Person = {
    kind: "contact",
    name: "",
    email: null,
    phone: null,
    mobile: null,
    company_id: null,
    unique_external_id: null,
    other_emails: [],
    tags: [],
    custom_fields: {},
  };
  const createTicket = (call: VendorCall): VendorAnswer => {
    const given = bodyOf(call);
    const custom = customFields(call, given["custom_fields"]);
    checkType(call, given["type"]);
    const missing = ["status", "priority", "source"].filter((name) => given[name] === undefined);
    if (missing.length > 0) breaches.record("create-complete", call.operation, missing.join(", "));
    const requester = requesterOf(given);
    const company = number(given["company_id"]);
    if (company !== null && people.get(requester)?.data.company_id !== company)
      throw invalid("company_id", "invalid_value", "The requester does not belong to this company");
    const row = tickets.insert({
      written: true,
      data: {
        subject: textOf(given["subject"]),
        description: textOf(given["description"]),
        status: number(given["status"]) ?? 2,
        priority: number(given["priority"]) ?? 1,
        source: number(given["source"]) ?? 2,
        type: typeof given["type"] === "string" ? given["type"] : null,
        requester_id: requester,
        responder_id: number(given["responder_id"]),
        group_id: number(given["group_id"]),
        company_id: company ?? people.get(requester)?.data.company_id ?? null,
        cc_emails: (given["cc_emails"] as readonly string[] | undefined) ?? [],
        tags: (given["tags"] as readonly string[] | undefined) ?? [],
        custom_fields: custom,
        spam: false,
        attachments: storeFiles(call),
        conversations: [],
      },
    });
    if (options.notifications) needs.mail();
    return ok(oneTicket(row), 201);
  };
  const oneTicket = (row: Row<Ticket>) => ({
    ...tables.ticketWire(row, true),
    attachments: row.data.attachments.map(tables.attachmentWire),
  });
  const addConversation = (call: VendorCall, isReply: boolean): VendorAnswer => {
    const row = live(tickets, call.params["ticket_id"]);
    const given = bodyOf(call);
    const author = number(given["user_id"]) ?? needs.callerId();
    if (!people.get(author))
      throw invalid("user_id", "invalid_value", "There is no user matching the given user_id");
    const mailed = (given["notify_emails"] as readonly string[] | undefined) ?? [];
    if (isReply) breaches.record("no-reply", call.operation, `ticket ${row.id}`);
    if (mailed.length > 0) breaches.record("quiet-notes", call.operation, mailed.join(", "));
    if (isReply || mailed.length > 0) needs.mail();
    const conversation = tables.newConversation({
      body: textOf(given["body"]),
      incoming: given["incoming"] === true,
      private: isReply ? false : given["private"] !== false,
      user_id: author,
      source: isReply ? 0 : 2,
      createdAt: clock.now(),
      attachments: storeFiles(call, row),
    });
    if (options.notifications && !conversation.private) needs.mail();
    tickets.update(row.id, { conversations: [...row.data.conversations, conversation] });
    return ok(tables.conversationWire(row.id, conversation), 201);
  };
  const conversationAt = (call: VendorCall) => {
    const id = Number(call.params["conversation_id"]);
    const row = tickets.live().find(({ data }) => data.conversations.some((each) => each.id === id));
    if (!row) throw notFound();
    return { id, row };
  };
  const conversationsOf = (call: VendorCall, row: Row<Ticket>) =>
    list(call, row.data.conversations, (each) => tables.conversationWire(row.id, each));

  /** Keys of contacts that were refused with 409. */
  const refused = new Set<string>();
  const checkContact = (given: Input, besides?: number) => {
    const addressesOf = ({ email, other_emails: others }: Person) => [email, ...others];
    const fits = {
      email: (data: Person) => addressesOf(data).some((each) => same(each, given["email"])),
      other_emails: (data: Person) =>
        ((given["other_emails"] ?? []) as readonly string[]).some((other) =>
          addressesOf(data).some((each) => same(each, other)),
        ),
      unique_external_id: (data: Person) => same(data.unique_external_id, given["unique_external_id"]),
    };
    for (const [field, isTaken] of Object.entries(fits)) {
      const taken = people.live().find(({ id, data }) => id !== besides && isTaken(data));
      if (taken && field === "email") refused.add(textOf(given["unique_external_id"]));
      if (taken)
        throw invalid(field, "duplicate_value", "It should be a unique value", 409, {
          additional_info: { user_id: taken.id },
        });
    }
  };
  const checkCompany = (given: Input, besides?: number) => {
    const others = companies.live().filter(({ id }) => id !== besides);
    if (others.some(({ data }) => same(data.name, given["name"])))
      throw invalid("name", "duplicate_value", "It should be a unique value", 409);
    const domains = (given["domains"] as readonly string[] | undefined) ?? [];
    if (others.some(({ data }) => data.domains.some((one) => domains.some((each) => same(one, each)))))
      throw invalid("domains", "duplicate_value", "It should be a unique value", 409);
  };
  const checkGroup = (given: Input, besides?: number) => {
    if (groups.live().some(({ id, data }) => id !== besides && same(data.name, given["name"])))
      throw invalid("name", "duplicate_value", "It should be a unique value", 409);
  };
  const groupOf = ({ name, description, agent_ids: agents }: Input): Group => ({
    name: textOf(name),
    description: textOf(description),
    agent_ids: (agents as readonly number[] | undefined) ?? [],
  });
  const search = <T extends object>(
    call: VendorCall,
    rows: readonly Row<T>[],
    wire: (row: Row<T>) => object,
  ): VendorAnswer => {
    breaches.record("find-by-list", call.operation, textOf(call.query["query"]));
    const page = Number(call.query["page"] ?? 1);
    if (page > 10) {
      breaches.record("search-page-10", call.operation, `page ${page}`);
      throw invalid("page", "invalid_value", "It should be a Positive Integer less than or equal to 10");
    }
    const wanted = [...textOf(call.query["query"]).matchAll(/:\s*'?([^'")]+)'?/g)].map(([, value]) =>
      (value ?? "").toLowerCase(),
    );
    const found = rows.filter(({ data }) =>
      wanted.every((each) => JSON.stringify(data).toLowerCase().includes(each)),
    );
    return ok({ total: found.length, results: pageOf(found, page, 30).rows.map(wire) });
  };

  const handlers: Record<string, (call: VendorCall) => VendorAnswer> = {
    "GET /tickets": listTickets,
    "GET /tickets/{ticket_id}": (call) => {
      const row = tickets.get(Number(call.params["ticket_id"]));
      if (!row || row.archived) throw notFound();
      const shown = row.data.conversations.slice(0, 10).map((each) => tables.conversationWire(row.id, each));
      return ok({
        ...oneTicket(row),
        ...(call.query["include"] === "conversations" && { conversations: shown }),
      });
    },
    "GET /tickets/{ticket_id}/conversations": (call) => {
      const row = live(tickets, call.params["ticket_id"]);
      if (row.archived) throw notFound();
      return conversationsOf(call, row);
    },
    "GET /tickets/archived/{ticket_id}": (call) => {
      const row = live(tickets, call.params["ticket_id"]);
      if (!row.archived) throw notFound();
      return ok(oneTicket(row));
    },
    "GET /tickets/archived/{ticket_id}/conversations": (call) => {
      const row = live(tickets, call.params["ticket_id"]);
      if (!row.archived) throw notFound();
      return conversationsOf(call, row);
    },
    "POST /tickets": createTicket,
    "POST /tickets/outbound_email": (call) => {
      breaches.record("no-reply", call.operation, textOf(bodyOf(call)["subject"]));
      needs.mail();
      return createTicket(call);
    },
    "PUT /tickets/{ticket_id}": (call) => {
      const row = live(tickets, call.params["ticket_id"]);
      const { custom_fields: custom, ...data } = bodyOf(call);
      checkType(call, data["type"]);
      const merged = { ...row.data.custom_fields, ...customFields(call, custom) };
      const attachments = [...row.data.attachments, ...storeFiles(call, row)];
      return ok(oneTicket(tickets.update(row.id, { ...data, custom_fields: merged, attachments })));
    },
    "DELETE /tickets/{ticket_id}": (call) => {
      tickets.remove(live(tickets, call.params["ticket_id"]).id);
      return gone;
    },
    "PUT /tickets/{ticket_id}/restore": (call) => {
      const row = tickets.get(Number(call.params["ticket_id"]));
      if (!row) throw notFound();
      tickets.restore(row.id);
      return gone;
    },
    "POST /tickets/{ticket_id}/reply": (call) => addConversation(call, true),
    "POST /tickets/{ticket_id}/notes": (call) => addConversation(call, false),
    "PUT /conversations/{conversation_id}": (call) => {
      const { id, row } = conversationAt(call);
      const known = row.data.conversations.find((each) => each.id === id);
      if (known?.source !== 2) throw invalid("id", "invalid_value", "Only notes can be edited");
      const changed = {
        ...known,
        body: textOf(bodyOf(call)["body"], known.body),
        attachments: [...known.attachments, ...storeFiles(call, row)],
      };
      tickets.update(row.id, {
        conversations: row.data.conversations.map((each) => (each.id === id ? changed : each)),
      });
      return ok(tables.conversationWire(row.id, changed));
    },
    "DELETE /conversations/{conversation_id}": (call) => {
      const { id, row } = conversationAt(call);
      tickets.update(row.id, { conversations: row.data.conversations.filter((each) => each.id !== id) });
      return gone;
    },
    "GET /contacts": (call) => {
      const {
        state,
        email,
        unique_external_id: key,
        _updated_since: since,
        company_id: company,
      } = call.query;
      const fits = ({ data, deletedAt, updatedAt }: Row<Person>) =>
        data.kind === "contact" &&
        (state === "deleted" ? deletedAt !== null : deletedAt === null) &&
        (email === undefined || same(data.email, email)) &&
        (key === undefined || same(data.unique_external_id, key)) &&
        (company === undefined || data.company_id === company) &&
        (typeof since !== "string" || updatedAt >= Date.parse(since));
      return list(call, people.all().filter(fits), tables.contactWire);
    },
    "GET /contacts/{contact_id}": (call) => ok(tables.contactWire(contact(call.params["contact_id"]))),
    "POST /contacts": (call) => {
      const given = bodyOf(call);
      if (
        !["email", "phone", "mobile", "twitter_id", "unique_external_id"].some(
          (name) => given[name] !== undefined,
        )
      )
        throw invalid(
          "email",
          "missing_field",
          "Please fill at least 1 of email, mobile, phone, twitter_id, unique_external_id",
        );
      if (refused.has(textOf(given["unique_external_id"], "none")))
        breaches.record("conflict-heeded", call.operation, textOf(given["unique_external_id"]));
      checkContact(given);
      return ok(tables.contactWire(people.insert({ data: { ...newPerson, ...given }, written: true })), 201);
    },
    "PUT /contacts/{contact_id}": (call) => {
      const { id } = live(people, contact(call.params["contact_id"]).id);
      checkContact(bodyOf(call), id);
      return ok(tables.contactWire(people.update(id, bodyOf(call))));
    },
    "DELETE /contacts/{contact_id}": (call) => {
      people.remove(live(people, contact(call.params["contact_id"]).id).id);
      return gone;
    },
    "DELETE /contacts/{contact_id}/hard_delete": (call) => {
      const { id } = contact(call.params["contact_id"]);
      const own = tickets.all().filter(({ data }) => data.requester_id === id);
      if (own.some(({ deletedAt }) => deletedAt === null))
        breaches.record("hard-delete-takes-tickets", call.operation, `contact ${id}`);
      for (const ticket of own) tickets.purge(ticket.id);
      people.purge(id);
      return gone;
    },
    "GET /companies": (call) => list(call, companies.live(), tables.companyWire),
    "GET /companies/{company_id}": (call) =>
      ok(tables.companyWire(live(companies, call.params["company_id"]))),
    "POST /companies": (call) => {
      checkCompany(bodyOf(call));
      const empty = { domains: [], description: null, note: null, custom_fields: {} };
      const data = { ...empty, ...bodyOf(call) } as unknown as Company;
      return ok(tables.companyWire(companies.insert({ data, written: true })), 201);
    },
    "PUT /companies/{company_id}": (call) => {
      const { id } = live(companies, call.params["company_id"]);
      checkCompany(bodyOf(call), id);
      return ok(tables.companyWire(companies.update(id, bodyOf(call))));
    },
    "DELETE /companies/{company_id}": (call) => {
      companies.purge(live(companies, call.params["company_id"]).id);
      return gone;
    },
    "GET /agents": (call) =>
      list(
        call,
        people.live().filter(({ data }) => data.kind === "agent"),
        tables.agentWire,
      ),
    "GET /agents/me": () => ok(tables.agentWire(live(people, needs.callerId()))),
    "GET /agents/{agent_id}": (call) => {
      const row = live(people, call.params["agent_id"]);
      if (row.data.kind !== "agent") throw notFound();
      return ok(tables.agentWire(row));
    },
    "GET /groups": (call) => list(call, groups.live(), tables.groupWire),
    "GET /groups/{group_id}": (call) => ok(tables.groupWire(live(groups, call.params["group_id"]))),
    "POST /groups": (call) => {
      checkGroup(bodyOf(call));
      return ok(tables.groupWire(groups.insert({ data: groupOf(bodyOf(call)), written: true })), 201);
    },
    "PUT /groups/{group_id}": (call) => {
      const { id, data } = live(groups, call.params["group_id"]);
      checkGroup(bodyOf(call), id);
      return ok(tables.groupWire(groups.update(id, groupOf({ ...data, ...bodyOf(call) }))));
    },
    "DELETE /groups/{group_id}": (call) => {
      groups.purge(live(groups, call.params["group_id"]).id);
      return gone;
    },
    "GET /ticket_fields": () => ok([...defaultFields, ...fields.live().map(tables.plainWire)]),
    "GET /admin/ticket_fields": () => ok([...defaultFields, ...fields.live().map(tables.plainWire)]),
    "GET /contact_fields": () => ok(tables.contactFields.live().map(tables.plainWire)),
    "GET /company_fields": () => ok(tables.companyFields.live().map(tables.plainWire)),
    "POST /admin/ticket_fields": (call) => {
      const { label, label_for_customers: forCustomers, type, choices } = bodyOf(call);
      const name = `cf_${textOf(label)
        .toLowerCase()
        .replaceAll(/[^a-z0-9]+/g, "_")}`;
      if (fields.live().some(({ data }) => data.name === name))
        throw invalid("label", "duplicate_value", "It should be a unique value");
      const values = (choices as readonly { readonly value: string }[] | undefined)?.map(
        ({ value }) => value,
      );
      const data = {
        name,
        label: textOf(label),
        label_for_customers: textOf(forCustomers, textOf(label)),
        type: textOf(type),
        choices: values ?? null,
      };
      return ok(tables.plainWire(fields.insert({ data, written: true })), 201);
    },
    "DELETE /admin/ticket_fields/{field_id}": (call) => {
      fields.purge(live(fields, call.params["field_id"]).id);
      return gone;
    },
    "GET /solutions/categories": () => ok(categories.live().map(tables.plainWire)),
    "POST /solutions/categories": (call) => {
      const data = { name: textOf(bodyOf(call)["name"]) };
      return ok(tables.plainWire(categories.insert({ data, written: true })), 201);
    },
    "GET /solutions/categories/{category_id}/folders": (call) => {
      const { id } = live(categories, call.params["category_id"]);
      return ok(
        folders
          .live()
          .filter(({ data }) => data.category_id === id)
          .map(tables.plainWire),
      );
    },
    "POST /solutions/categories/{category_id}/folders": (call) => {
      const { name, visibility } = bodyOf(call);
      const data = {
        name: textOf(name),
        visibility: Number(visibility),
        category_id: live(categories, call.params["category_id"]).id,
      };
      return ok(tables.plainWire(folders.insert({ data, written: true })), 201);
    },
    "GET /solutions/folders/{folder_id}/articles": (call) => {
      const { id } = live(folders, call.params["folder_id"]);
      return ok(
        articles
          .live()
          .filter(({ data }) => data.folder_id === id)
          .map(tables.plainWire),
      );
    },
    "POST /solutions/folders/{folder_id}/articles": (call) => {
      const { title, description, status } = bodyOf(call);
      const folder = live(folders, call.params["folder_id"]).id;
      const data = {
        title: textOf(title),
        description: textOf(description),
        status: Number(status),
        folder_id: folder,
      };
      return ok(tables.plainWire(articles.insert({ data, written: true })), 201);
    },
    "GET /solutions/articles/{article_id}": (call) =>
      ok(tables.plainWire(live(articles, call.params["article_id"]))),
    "DELETE /solutions/articles/{article_id}": (call) => {
      articles.remove(live(articles, call.params["article_id"]).id);
      return gone;
    },
    "GET /search/tickets": (call) =>
      search(
        call,
        tickets.indexed(options.searchLagMs).filter(({ archived }) => !archived),
        (row) => tables.ticketWire(row, true),
      ),
    "GET /search/contacts": (call) =>
      search(
        call,
        people.indexed(options.searchLagMs).filter(({ data }) => data.kind === "contact"),
        tables.contactWire,
      ),
  };
  return handlers;
};

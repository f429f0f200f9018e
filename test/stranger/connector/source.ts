import {
  addressBook,
  askOne,
  type ChildStream,
  childStream,
  eachById,
  type FamilyRecord,
  helpdesk,
  type HttpRequest,
  type Io,
  keysetPager,
  listStream,
  once,
  type Pages,
  tokenPager,
  windowPager,
} from "@portage/connector-kit";
import { z } from "zod";
import type { Settings } from "./manifest.ts";
import {
  type Attachment,
  caseOf,
  type CaseRow,
  caseRow,
  clientRow,
  type Comment,
  companyRow,
  type Contact,
  deskRow,
  fieldRow,
  fileOf,
  type Group,
  messageRow,
  momentOf,
  type Organization,
  staffRow,
  type Ticket,
  toAttachments,
  toComments,
  toContact,
  toCustomField,
  toGroup,
  toOrganization,
  toTicket,
  toUser,
  type User,
  type WholeCase,
} from "./records.ts";

type QuillIo = Io<Settings>;

const { urlOf, recordAt, targetOf } = addressBook({
  tickets: {
    at: "/cases/C-:id",
    id: ({ id }) => `C-${id}`,
    parts: ({ id }) => ({ id: id.replace("C-", "") }),
  },
});

export { recordAt };

const recogniseIn =
  ({ settings }: QuillIo) =>
  (url: string) =>
    targetOf(settings, url);

const ask = async <T>(
  { http }: QuillIo,
  url: string,
  answer: z.ZodType<T>,
  query: HttpRequest["query"] = {},
) => (await http.send({ url, query })).json(answer);

const oneOf = <R>(list: string, row: z.ZodType<R>) =>
  eachById((io: QuillIo, id) => askOne(io, { url: `${list}/${id}` }, row));

/** The pages of a list that Quill answers all at once. */
const wholeList =
  <R>(list: string, row: z.ZodType<R>): Pages<R, Settings> =>
  (rows) =>
    tokenPager({
      ...rows,
      async fetch(io) {
        const answer = await ask(io, list, z.object({ [list]: z.array(row) }));
        return { rows: answer[list] ?? [], next: null };
      },
    });

/** Quill's `changed_after` leaves out the second itself, and a moment within a second was rounded down. */
const changedAfter = (from: string | Date | null | undefined) =>
  from ? Math.floor(new Date(from).getTime() / 1000) - 1 : undefined;

const staffPage = z.object({ staff: z.array(staffRow), pages: z.number() });

export const userSource = listStream<z.infer<typeof staffRow>, User, Settings>({
  stream: helpdesk.users,
  // Page numbers without a size. People who left stay in the list, so that no row moves to another page.
  pages: (rows) =>
    tokenPager({
      ...rows,
      async fetch(io, _at, token) {
        const page = Number(token ?? 1);
        const { staff, pages } = await ask(io, "staff", staffPage, { page });
        return { rows: staff, next: page < pages ? String(page + 1) : null };
      },
    }),
  key: ({ id }) => id,
  toRecord: toUser,
  byIds: oneOf("staff", staffRow),
});

export const organizationSource = listStream<z.infer<typeof companyRow>, Organization, Settings>({
  stream: helpdesk.organizations,
  pages: wholeList("companies", companyRow),
  key: ({ id }) => id,
  toRecord: toOrganization,
  byIds: oneOf("companies", companyRow),
});

export const contactSource = listStream<z.infer<typeof clientRow>, Contact, Settings>({
  stream: helpdesk.contacts,
  delta: true,
  pages: (rows) =>
    keysetPager({
      ...rows,
      size: 100,
      async fetch(io, { since }, { after }) {
        const query = { after: after ?? 0, changed_after: changedAfter(since) };
        return (await ask(io, "clients", z.object({ clients: z.array(clientRow) }), query)).clients;
      },
    }),
  key: ({ id }) => id,
  toRecord: toContact,
  byIds: oneOf("clients", clientRow),
});

export const groupSource = listStream<z.infer<typeof deskRow>, Group, Settings>({
  stream: helpdesk.groups,
  pages: wholeList("desks", deskRow),
  key: ({ id }) => id,
  toRecord: toGroup,
  byIds: oneOf("desks", deskRow),
});

const customFields = once(async (io: QuillIo) =>
  (await ask(io, "extra-fields", z.object({ fields: z.array(fieldRow) }))).fields.map(toCustomField),
);

const casesPage = z.object({ cases: z.array(caseRow), more: z.string().nullable() });

export const ticketSource = listStream<CaseRow, Ticket, Settings>({
  stream: helpdesk.tickets,
  delta: true,
  // A `more` expires, and it counts rows: those that change meanwhile move to the end and shift the others. So each page asks
  // for what changed since the one before, and `more` only serves where one second has more cases than a page.
  pages: (rows) =>
    windowPager({
      ...rows,
      size: 50,
      maxPages: Number.POSITIVE_INFINITY,
      changedAt: ({ changed }) => momentOf(changed),
      async fetch(io, _at, { from, page, size }) {
        let found = await ask(io, "cases", casesPage, { limit: size, changed_after: changedAfter(from) });
        for (let turned = 1; turned < page; turned += 1) {
          if (found.more === null) return [];
          found = await ask(io, "cases", casesPage, { more: found.more });
        }
        return found.cases;
      },
    }),
  key: ({ id }) => id,
  toRecord: async (row, io) => (row.removed ? null : toTicket(row, await customFields(io), recogniseIn(io))),
  byIds: oneOf("cases", caseRow),
  count: async (io) => {
    const { count } = await ask(io, "cases", z.object({ count: z.number() }), { count: 1 });
    return { value: count, exact: true };
  },
  customFields,
  urlOf: urlOf("tickets"),
});

const messagesOf = z.object({ messages: z.array(messageRow) });

const wholeCase = once(async (io: QuillIo, id: string): Promise<WholeCase | null> => {
  const row = await askOne(io, { url: `cases/${id}` }, caseRow);
  const found = row && (await askOne(io, { url: `cases/${id}/messages` }, messagesOf));
  return found && { row, messages: found.messages };
});

/** The records that a case holds: none has an address of its own. */
const inCases = <T extends FamilyRecord>(
  stream: ChildStream<T, T, Settings>["stream"],
  recordsOf: (whole: WholeCase, io: QuillIo) => readonly T[],
) => {
  const list = async (io: QuillIo, caseId: string) => {
    const whole = await wholeCase(io, caseId);
    return whole ? recordsOf(whole, io) : [];
  };
  return childStream<T, T, Settings>({
    stream,
    perParent: "tickets",
    changesWithParent: true,
    list,
    key: ({ id }) => id,
    toRecord: (record) => record,
    async byIds(io, ids) {
      const records = await Promise.all([...new Set(ids.map(caseOf))].map((id) => list(io, id)));
      return records.flat().filter(({ id }) => ids.includes(id));
    },
  });
};

export const commentSource = inCases<Comment>(helpdesk.comments, (whole, io) =>
  toComments(whole, recogniseIn(io)),
);

const link = z.object({ url: z.string() });

export const attachmentSource = {
  ...inCases<Attachment>(helpdesk.attachments, toAttachments),
  openFile: async (io: QuillIo, { id, fileName, contentType, size }: Attachment) => ({
    name: fileName,
    contentType,
    size,
    // A link works for 30 seconds only, so each attempt asks for its own.
    open: async () => {
      const { url } = await ask(io, `files/${fileOf(id)}/link`, link);
      return (await io.http.download({ url })).body;
    },
  }),
};

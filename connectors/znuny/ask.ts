import { createHash } from "node:crypto";
import {
  ConnectorError,
  type HttpRequest,
  isConnectorError,
  type QueryValue,
  type Recovery,
} from "@portage/connector-kit";
import { LRUCache } from "lru-cache";
import { z, type ZodType } from "zod";
import { ticketRow, type TicketRow } from "./rows.ts";
import type { ZnunyIo } from "./settings.ts";

export type Query = Readonly<Record<string, QueryValue | readonly QueryValue[]>>;

const fault = z.object({ Error: z.object({ ErrorCode: z.string(), ErrorMessage: z.string() }).optional() });

/** Znuny refuses in an answer of status 200. */
const refusal = (errorCode: string): ConnectorError =>
  errorCode.endsWith(".AuthFail")
    ? new ConnectorError({
        recovery: "reauthorize",
        code: "unauthorized",
        message: "Znuny does not accept the agent's login and password.",
        setting: "password",
      })
    : new ConnectorError({
        recovery: "skip-record",
        code: "rejected",
        message: `Znuny did not accept the request (${errorCode}).`,
      });

const isRefusal = (error: unknown, recovery: Recovery): boolean =>
  isConnectorError(error) && error.recovery === recovery && error.status === undefined;

const base = ({ settings }: ZnunyIo) =>
  `nph-genericinterface.pl/Webservice/${encodeURIComponent(settings.webService)}`;

const ask = async <T>(io: ZnunyIo, request: HttpRequest, row: ZodType<T>): Promise<T> => {
  const answer = await io.http.send({ ...request, url: `${base(io)}/${request.url}` });
  if (answer.status >= 400) return row.parse({});
  const refused = answer.json(fault).Error;
  if (refused) throw refusal(refused.ErrorCode);
  return answer.json(row);
};

/** Kept longer than a step, since each stays in Znuny's database for hours; shorter than Znuny keeps an idle one. */
const sessions = new LRUCache<string, Promise<string>>({ max: 1_000, ttl: 3_600_000 });

const keyOf = ({ settings }: ZnunyIo) =>
  createHash("sha256").update(JSON.stringify(settings)).digest("base64");

/** Signs in, whether or not there is a session already. */
export const createSession = (io: ZnunyIo): Promise<string> => {
  const { username, password, webService } = io.settings;
  const signIn = async () => {
    const json = { UserLogin: username, Password: password };
    const request = { url: "Session", method: "POST", json, reads: true, accept: [404, 500] } as const;
    const session = z.object({ SessionID: z.string().min(1).optional() });
    const { SessionID } = await ask(io, request, session);
    if (SessionID) return SessionID;
    throw new ConnectorError({
      recovery: "abort",
      code: "unexpected_status",
      message: `This address has no Znuny with the web service “${webService}” and its operation SessionCreate.`,
      setting: "webService",
    });
  };
  const made = signIn();
  sessions.set(keyOf(io), made);
  // A failure is the caller's to hear of, and must not answer later calls.
  made.catch(() => sessions.delete(keyOf(io)));
  return made;
};

export const sessionOf = (io: ZnunyIo): Promise<string> => sessions.get(keyOf(io)) ?? createSession(io);

/** Asks within a session; once more in a new one if the session has ended. */
const askSignedIn = async <T>(io: ZnunyIo, url: string, query: Query, row: ZodType<T>): Promise<T> => {
  const SessionID = await sessionOf(io);
  try {
    return await ask(io, { url, query: { ...query, SessionID } }, row);
  } catch (error) {
    if (!isRefusal(error, "reauthorize")) throw error;
    return ask(io, { url, query: { ...query, SessionID: await createSession(io) } }, row);
  }
};

/** More than any Znuny has: without it a search lists 500 tickets and does not say that there are more. */
export const everything = 1_000_000_000;

const found = z.object({ TicketID: z.array(z.coerce.number()).default([]) });

/** Oldest first; of the same second in the order of their numbers. */
const oldestFirst = { SortBy: ["Age", "TicketNumber"], OrderBy: ["Up", "Up"] };

/** Ids of the tickets that this agent may read, also of archived ones. */
export const searchTickets = async (
  io: ZnunyIo,
  filter: Query,
  limit: number = everything,
): Promise<readonly number[]> => {
  const query = { ...filter, ...oldestFirst, SearchInArchive: "AllTickets", Limit: limit };
  return (await askSignedIn(io, "Ticket", query, found)).TicketID;
};

/** What to read of a ticket besides its own fields. */
export interface Parts {
  readonly fields?: true;
  readonly articles?: "first" | "all";
  /** The list of files of each article, with the HTML form of its text as one of them. */
  readonly files?: "listed" | "with contents";
}

const partsQuery = ({ fields, articles, files }: Parts): Query => ({
  DynamicFields: fields ? 1 : 0,
  AllArticles: articles ? 1 : 0,
  ArticleOrder: "ASC",
  ArticleLimit: articles === "first" ? 1 : null,
  Attachments: files ? 1 : 0,
  HTMLBodyAsAttachment: files ? 1 : 0,
  GetAttachmentContents: files === "with contents" ? 1 : 0,
});

const tickets = z.object({ Ticket: z.array(ticketRow).default([]) });

/** As many as one call reads: a ticket without its articles is small. */
const batchSizeOf = ({ articles }: Parts) => (articles ? 50 : 200);

/** Leaves out tickets that are gone or hidden: Znuny refuses the whole call because of one, so its halves are asked for. */
export const getTickets = async (
  io: ZnunyIo,
  ids: readonly number[],
  parts: Parts = {},
): Promise<readonly TicketRow[]> => {
  if (ids.length === 0) return [];
  if (ids.length <= batchSizeOf(parts))
    try {
      return (await askSignedIn(io, `Ticket/${ids.join(",")}`, partsQuery(parts), tickets)).Ticket;
    } catch (error) {
      if (!isRefusal(error, "skip-record")) throw error;
      if (ids.length === 1) return [];
    }
  const middle = Math.ceil(ids.length / 2);
  return [
    ...(await getTickets(io, ids.slice(0, middle), parts)),
    ...(await getTickets(io, ids.slice(middle), parts)),
  ];
};

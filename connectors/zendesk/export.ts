import { type At, type Cursor, type HttpResponse, type Pages, toPage } from "@portage/connector-kit";
import { z, type ZodType } from "zod";
import { api, rowsIn } from "./ask.ts";
import type { ZendeskIo, ZendeskSettings } from "./settings.ts";

const maxRows = 1_000;
const second = 1_000;

const ask = (
  io: ZendeskIo,
  path: string,
  { size = maxRows }: Pick<At, "size">,
  query: Readonly<Record<string, string | number>>,
) =>
  io.http.send({
    url: api(`incremental/${path}`),
    query: { ...query, per_page: Math.min(size, maxRows) },
    class: "export",
  });

/** Zendesk refuses a start within the most recent minute. */
const startOf = ({ since }: At, lagMs: number): number =>
  Math.floor(Math.min(since?.getTime() ?? 0, Date.now() - lagMs - second) / second);

/**
 * What is left of an export that has no more rows. It lacks what changed shortly before the pass began, so the pass asks once more
 * when that is there; else a last pass before people change tools would lose their last minute.
 */
const atEnd = (place: Cursor, began: number, lagMs: number) => {
  const waitMs = began + lagMs + second - Date.now();
  return lagMs === 0 || waitMs <= 0 ? { next: null } : { next: { ...place, began }, waitMs };
};

const beganAt = ({ cursor }: At): number =>
  typeof cursor?.["began"] === "number" ? cursor["began"] : Date.now();

const cursorAnswer = z.object({ after_cursor: z.string().nullable(), end_of_stream: z.boolean() });

/** An export by cursor: only its first call names a start. Sent again, it would lose rows. */
export const exportByCursor =
  <R>(path: string, name: string, row: ZodType<R>, lagMs: number): Pages<R, ZendeskSettings> =>
  (rows) =>
  async (io, at) => {
    const token = at.cursor?.["token"];
    const began = beganAt(at);
    const query = typeof token === "string" ? { cursor: token } : { start_time: startOf(at, lagMs) };
    const answer = await ask(io, path, at, query);
    const { after_cursor: after, end_of_stream: ended } = answer.json(cursorAnswer);
    const place = { token: after ?? "" };
    const page = await toPage(rows, io, rowsIn(answer, name, row), { ...place, began });
    return after !== null && !ended ? page : { ...page, ...atEnd(place, began, lagMs) };
  };

const timeAnswer = z.object({ end_time: z.number().nullable(), end_of_stream: z.boolean() });

export interface TimePage<R> {
  readonly rows: readonly R[];
  readonly end: number | null;
  readonly ended: boolean;
}

/** Asks for a page of an export by time. */
export const askSince =
  <R>(
    path: string,
    rowsOf: (answer: HttpResponse) => readonly R[],
    query: Readonly<Record<string, string>> = {},
  ) =>
  async (io: ZendeskIo, from: number, size: number): Promise<TimePage<R>> => {
    const answer = await ask(io, path, { size }, { ...query, start_time: from });
    const { end_time: end, end_of_stream: ended } = answer.json(timeAnswer);
    return { rows: rowsOf(answer), end, ended };
  };

interface TimeExport<R> {
  readonly lagMs: number;
  ask(io: ZendeskIo, at: At, from: number, size: number): Promise<TimePage<R>>;
  /** For rows that never change: their second. Left out: rows of the second in which a page ended come again. */
  secondOf?(row: R): number;
}

/** An export by time: each page starts with the second in which the one before ended. */
export const exportByTime =
  <R>(given: TimeExport<R>): Pages<R, ZendeskSettings> =>
  (rows) =>
  async (io, at) => {
    const { from = startOf(at, given.lagMs), seen = "" } = at.cursor ?? {};
    const began = beganAt(at);
    const {
      rows: all,
      end,
      ended,
    } = await given.ask(io, at, Number(from), Math.min(at.size ?? maxRows, maxRows));
    const known = new Set(String(seen).split(","));
    const last = Math.max(end ?? 0, Number(from));
    const repeated = all.filter((each) => given.secondOf?.(each) === last).map((each) => rows.key(each));
    // A page of one second alone: the rest of the export is behind it.
    const stuck = !ended && last === Number(from);
    const place = stuck ? { from: last + 1 } : { from: last, seen: repeated.join(",") };
    const fresh = all.filter((each) => !known.has(String(rows.key(each))));
    const page = await toPage(rows, io, fresh, { ...place, began });
    return ended ? { ...page, ...atEnd(place, began, given.lagMs) } : page;
  };

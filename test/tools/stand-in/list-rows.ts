import type { ServerResponse } from "node:http";
import { type DateRange, isWithin } from "@portage/connector-kit";
import { answerText, type Target } from "./answer.ts";
import type { StandInOptions } from "./options.ts";
import type { SourceRows } from "./source-rows.ts";

const maxIds = 1_000;

/** How many rows there are, optionally within a range. */
export const countRows = ({ query }: Target, rows: SourceRows): number => {
  const within = query.get("within");
  if (within === null) return rows.count();
  const range = JSON.parse(within) as DateRange;
  return rows.after(0, Number.POSITIVE_INFINITY, (row) => isWithin(range, row)).length;
};

/** A page of rows, in the configured paging style. */
export const listRows = (
  response: ServerResponse,
  { parts, query }: Target,
  rows: SourceRows,
  { paging, pageSize }: StandInOptions,
): void => {
  const number = (name: string, otherwise: number) => Number(query.get(name) ?? otherwise);
  const size = Math.min(number("size", pageSize), pageSize + 1);
  const filter = { since: query.get("since"), parentId: query.get("parent") };
  const send = (found: readonly number[], more = "", headers = {}) =>
    answerText(response, 200, `{"rows":[${found.map(rows.json).join(",")}]${more}}`, headers);

  const ids = query.getAll("id");
  if (ids.length > 0) return send(ids.map(Number).filter((each) => rows.has(each)));
  if (query.get("fields") === "id") {
    const found = rows.numbersAfter(number("after", 0), Math.min(number("size", maxIds), maxIds), filter);
    return answerText(response, 200, JSON.stringify({ ids: found.map(String) }));
  }
  if (paging === "keyset") return send(rows.numbersAfter(number("after", 0), size, filter));
  if (paging === "offset" || paging === "page") {
    const offset = paging === "offset" ? number("offset", 0) : (number("page", 1) - 1) * size;
    const filtered = filter.since !== null || filter.parentId !== null;
    return filtered
      ? send(rows.numbersAfter(0, offset + size, filter).slice(offset))
      : send(rows.numbersFrom(offset, size), `,"total":${rows.count()}`);
  }
  const after = Number(Buffer.from(query.get("cursor") ?? "", "base64url").toString() || 0);
  const found = rows.numbersAfter(after, size, filter);
  const last = found.length === size ? found.at(-1) : undefined;
  const cursor = last === undefined ? null : Buffer.from(String(last)).toString("base64url");
  if (paging === "cursor") return send(found, `,"next":${JSON.stringify(cursor)}`);
  const next = new URLSearchParams(query);
  next.set("cursor", cursor ?? "");
  send(found, "", cursor === null ? {} : { link: `</${parts.join("/")}?${next.toString()}>; rel="next"` });
};

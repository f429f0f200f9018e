import type { ServerResponse } from "node:http";
import type { FamilyRecord } from "@portage/connector-kit";
import type { StandInOptions } from "./options.ts";
import type { SourceRows } from "./source-rows.ts";

/** A page of rows, in the style that the tool is set to. */
export const listRows = (
  response: ServerResponse,
  url: URL,
  rows: SourceRows,
  { paging, pageSize }: StandInOptions,
): void => {
  const query = url.searchParams;
  const number = (name: string, otherwise: number) => Number(query.get(name) ?? otherwise);
  const size = Math.min(number("size", pageSize), pageSize + 1);
  const since = query.get("since");
  const parent = query.get("parent");
  const keep = (record: FamilyRecord) =>
    (since === null || (record.updatedAt ?? "") >= since) &&
    (parent === null || rows.belongsTo(record, parent));
  const send = (body: object, headers = {}) =>
    void response
      .writeHead(200, { "content-type": "application/json", ...headers })
      .end(JSON.stringify(body));

  const ids = query.getAll("id");
  if (ids.length > 0) return send({ rows: ids.flatMap((id) => rows.find(id) ?? []) });
  if (paging === "keyset") return send({ rows: rows.after(number("after", 0), size, keep) });
  if (paging === "offset" || paging === "page") {
    const offset = paging === "offset" ? number("offset", 0) : (number("page", 1) - 1) * size;
    const filtered = since !== null || parent !== null;
    const found = filtered ? rows.after(0, offset + size, keep).slice(offset) : rows.slice(offset, size);
    return send({ rows: found, ...(filtered ? {} : { total: rows.count() }) });
  }
  const after = Number(Buffer.from(query.get("cursor") ?? "", "base64url").toString() || 0);
  const found = rows.after(after, size, keep);
  const last = found.at(-1);
  const cursor = last && found.length === size ? Buffer.from(last.id).toString("base64url") : null;
  if (paging === "cursor") return send({ rows: found, next: cursor });
  const next = new URL(url);
  next.searchParams.set("cursor", cursor ?? "");
  send({ rows: found }, cursor === null ? {} : { link: `<${next.pathname}${next.search}>; rel="next"` });
};

import type { HttpRequest, HttpResponse, Io } from "../io.ts";
import type { At } from "../page.ts";
import { type Rows } from "./to-page.ts";
import { tokenPager } from "./token-pager.ts";

/** The target of `Link: <…>; rel="next"` (RFC 8288). */
export const nextLink = (headers: Readonly<Record<string, string>>): string | null => {
  for (const [, target, parameters] of (headers.link ?? "").matchAll(/<([^>]*)>((?:\s*;[^,<]*)*)/g)) {
    const relations = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,]+))/i.exec(parameters ?? "");
    const names = (relations?.[1] ?? relations?.[2] ?? "").toLowerCase().split(/\s+/);
    if (target !== undefined && names.includes("next")) return target;
  }
  return null;
};

interface LinkPager<R, T, S> extends Rows<R, T, S> {
  first(at: At, io: Io<S>): HttpRequest;
  rows(answer: HttpResponse): readonly R[];
}

/**
 * For tools that answer with a Link header. The cursor stores the URL, so it must not contain a secret. Quotas count the pages
 * that follow as they count the first.
 */
export const linkPager = <R, T, S>({ first, rows, key, toRecord }: LinkPager<R, T, S>) =>
  tokenPager<R, T, S>({
    key,
    toRecord,
    async fetch(io, at, token) {
      const { class: name, cost, ...request } = first(at, io);
      const counted = {
        ...(name === undefined ? {} : { class: name }),
        ...(cost === undefined ? {} : { cost }),
      };
      const answer = await io.http.send({ ...(token === null ? request : { url: token }), ...counted });
      const next = nextLink(answer.headers);
      return { rows: rows(answer), next: next === null ? null : (URL.parse(next, answer.url)?.href ?? null) };
    },
  });

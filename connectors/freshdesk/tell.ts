import {
  type HttpRequest,
  type HttpResponse,
  markerOf,
  refusing,
  type RichText,
  withMarker,
} from "@portage/connector-kit";
import { convertRichText } from "@portage/connector-kit/rich-text";
import { z } from "zod";
import type { FreshdeskIo } from "./settings.ts";

const problems = z.object({
  errors: z.array(
    z.object({
      field: z.string().nullish(),
      message: z.string().nullish(),
      additional_info: z.object({ user_id: z.number().nullish() }).nullish(),
    }),
  ),
});

const problemsIn = ({ text }: HttpResponse) => {
  try {
    return problems.parse(JSON.parse(text)).errors;
  } catch {
    return [];
  }
};

/** Sends a write. What Freshdesk refuses is refused in its own words. */
export const tell = refusing({
  tool: "Freshdesk",
  statuses: [400, 403, 404, 405, 409, 413, 415, 422],
  message: problems.transform(({ errors }) =>
    errors.map(({ field, message }) => `${field ?? "record"}: ${message ?? "not accepted"}`).join("; "),
  ),
});

/** Deletes; also what is gone already: the client sends a DELETE again whose answer it lost. */
export const removeAt = async (
  io: FreshdeskIo,
  url: string,
  query: HttpRequest["query"] = {},
): Promise<void> => void (await tell(io, { url, method: "DELETE", query, accept: [404] }));

/** The contact that has what a new one wants, as a 409 names it. */
export const ownerIn = (answer: HttpResponse): number | null =>
  problemsIn(answer).find(({ additional_info: info }) => info?.user_id)?.additional_info?.user_id ?? null;

export interface Attempt<D> {
  readonly answer: HttpResponse;
  readonly draft: D;
}

/**
 * Sends a record; and, if Freshdesk refuses it for some of its optional fields, once more without those: it wrote nothing before.
 */
export const tellWithout = async <D>(
  io: FreshdeskIo,
  isOptional: (field: string) => boolean,
  draft: (without: ReadonlySet<string>) => D,
  request: (draft: D) => HttpRequest,
): Promise<Attempt<D>> => {
  const whole = draft(new Set());
  const first = await tell(io, { ...request(whole), accept: [400] });
  if (first.status !== 400) return { answer: first, draft: whole };
  const without = new Set(problemsIn(first).map(({ field }) => field ?? ""));
  // Refused as a whole: the second answer says why.
  const less = [...without].every(isOptional) ? draft(without) : whole;
  return { answer: await tell(io, request(less)), draft: less };
};

/** A number that Freshdesk can have issued: ids of other tools can have any form. */
export const numberOf = (id: string | null | undefined): number | null =>
  /^[1-9]\d{0,14}$/.test(id ?? "") ? Number(id) : null;

/** Freshdesk has one format, and removes what the import would have removed. */
export const toHtml = (text: RichText | null): string =>
  text === null ? "" : convertRichText(text, "html").text;

const plainEnd = /(?:^|\n\n)Imported\. [^\n]*\(portage:[^)\s]*\)$/;

/** A plain text, and a last line with what Freshdesk can't hold and the key. Freshdesk trims texts. */
export const withPlainLine = (text: RichText | string | null, line: string, key: string): string => {
  const plain =
    typeof text === "string" || text === null
      ? (text ?? "")
      : text.format === "plain"
        ? text.text
        : convertRichText(text, "plain").text;
  const last = withMarker(`Imported. ${line}`.trim(), key, 2_000 + markerOf(key).length);
  return `${plain.trim()}\n\n${last}`.trim();
};

export const withoutPlainLine = (text: string | null | undefined): string =>
  (text ?? "").replace(plainEnd, "");

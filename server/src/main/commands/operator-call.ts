import type {
  OperatorDelivery,
  OperatorDispute,
  OperatorImport,
  OperatorListedWebhook,
  OperatorPartner,
  OperatorPriceBook,
  OperatorStaff,
} from "@portage/contract/operator";
import { CommandError } from "./command-error.ts";

export type InvalidFields = Readonly<Record<string, readonly string[]>>;

export interface ClientCall {
  readonly method?: "GET" | "POST" | "PUT" | "DELETE";
  readonly body?: object;
  /** How the command words a refusal, by the API's code of it. Omitted: as the API does. */
  readonly refusals?: Readonly<Record<string, (message: string) => CommandError>>;
  /** What the command calls a field. Omitted: as the API does. */
  readonly optionOf?: (field: string) => string;
  /** How to correct what was invalid. */
  readonly fixOf?: (errors: InvalidFields) => string | null;
}

/** Makes a call of the operator API, over HTTP or on the database; throws what it says as an error of the command. */
export type OperatorClient = <T>(path: string, sent?: ClientCall) => Promise<T>;

export const refusedCall = (
  { refusals }: ClientCall,
  {
    code,
    message,
    fix = null,
  }: { readonly code: string; readonly message: string; readonly fix?: string | null },
): CommandError => refusals?.[code]?.(message) ?? new CommandError(code, message, { fix });

export const invalidCall = (
  { optionOf = (field) => field, fixOf = () => null }: ClientCall,
  errors: InvalidFields,
): CommandError =>
  new CommandError(
    "invalid_arguments",
    Object.entries(errors)
      .flatMap(([field, problems]) => problems.map((problem) => `${optionOf(field)} ${problem}`))
      .join("\n"),
    { fix: fixOf(errors), exitCode: 2 },
  );

/** The option that has the same name as a field. */
export const sameOption = (field: string): string => `--${field.replaceAll("_", "-")}`;

/** Encodes what a call names. */
export const pathOf = (strings: TemplateStringsArray, ...ids: readonly string[]): string =>
  String.raw({ raw: strings }, ...ids.map(encodeURIComponent));

type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** A path with a query, without what is not given. */
export const withQuery = (path: string, asked: Query): string => {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(asked))
    if (value !== null && value !== undefined) query.set(name, String(value));
  return query.size === 0 ? path : `${path}?${query.toString()}`;
};

/** The most that the API lists at once. */
const maxPage = 200;

/** What is listed page by page, by its name in the answer. */
interface Lists {
  readonly deliveries: OperatorDelivery;
  readonly disputes: OperatorDispute;
  readonly imports: OperatorImport;
  readonly partners: OperatorPartner;
  readonly price_books: OperatorPriceBook;
  readonly staff: OperatorStaff;
  readonly webhooks: OperatorListedWebhook;
}

/** Lists up to `limit`, page by page; `next` goes on after them. */
export const listPages = async <Name extends keyof Lists>(
  call: OperatorClient,
  name: Name,
  { limit, after, ...asked }: Query & { readonly limit: number; readonly after?: string | undefined },
  { path = `/${name}`, ...sent }: ClientCall & { readonly path?: string } = {},
): Promise<{ readonly rows: readonly Lists[Name][]; readonly next: string | null }> => {
  // The newest come first: what is older comes before them.
  const cursor = name === "imports" ? "before" : "after";
  const rows: Lists[Name][] = [];
  let next = after ?? null;
  do {
    const page = await call<Record<Name, readonly Lists[Name][]> & { readonly next: string | null }>(
      withQuery(path, { ...asked, limit: Math.min(maxPage, limit - rows.length), [cursor]: next }),
      sent,
    );
    rows.push(...page[name]);
    ({ next } = page);
  } while (next !== null && rows.length < limit);
  return { rows, next };
};

import { z, type ZodType } from "zod";
import { ConnectorError, type ConnectorErrorDetail } from "../errors.ts";
import type { HttpRequest, Io } from "../io.ts";
import type { At } from "../page.ts";
import type { ReadPage } from "./pages.ts";
import { type Rows, sizeAt, toPage } from "./to-page.ts";

const graphqlError = z.object({
  message: z.string().default(""),
  type: z.string().optional(),
  extensions: z.object({ code: z.string().optional(), type: z.string().optional() }).loose().optional(),
});
export type GraphqlError = z.infer<typeof graphqlError>;

const recoveries: readonly (readonly [RegExp, ConnectorErrorDetail["recovery"], string])[] = [
  [/rate.?limit|throttl|complexity/i, "retry", "rate_limited"],
  [/unauthenticated|authentication/i, "reauthorize", "unauthorized"],
  [/forbidden|authoriz|permission/i, "skip-record", "forbidden"],
  [/not.?found/i, "skip-record", "not_found"],
  [/internal|timeout|unavailable/i, "retry", "server_error"],
];

/** The error behind a 200 that has `errors`. It never quotes the message, which can hold the customer's data. */
const errorOf = (errors: readonly GraphqlError[]): ConnectorErrorDetail => {
  const codes = errors.map(({ type, extensions }) => extensions?.code ?? extensions?.type ?? type ?? "");
  const [, recovery = "abort", code = "refused_query"] =
    recoveries.find(([known]) => codes.some((each) => known.test(each))) ?? [];
  return {
    recovery,
    code,
    message: `The tool answered a query with an error (${codes.find((each) => each !== "") ?? "without a code"}).`,
  } as const;
};

interface Query {
  /** By default `graphql`, below the first of the manifest's origins. */
  readonly url?: string;
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  /** For a mutation: how to send it. A query is a read, whatever its method. */
  readonly request?: Partial<HttpRequest>;
  /** Reads what the tool's own codes mean; undefined: the kit's table. */
  explain?(errors: readonly GraphqlError[]): ConnectorErrorDetail | undefined;
}

/** The `data` of a GraphQL query. An answer with `errors` is a ConnectorError, whatever its status: a part would be a loss. */
export const graphql = async <T, S>(io: Io<S>, query: Query, data: ZodType<T>): Promise<T> => {
  const { url = "graphql", variables = {}, request = { reads: true }, explain } = query;
  const json = { query: query.query, variables };
  const answer = await io.http.send({ url, method: "POST", json, ...request });
  const { errors = [] } = answer.json(z.object({ errors: z.array(graphqlError).optional() }));
  if (errors.length > 0) throw new ConnectorError(explain?.(errors) ?? errorOf(errors));
  return answer.json(z.object({ data })).data;
};

/** A page of a connection, in the form that Relay made common. */
export const connection = <R>(node: ZodType<R>) =>
  z.object({
    nodes: z.array(node),
    pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullish() }),
  });

interface GraphqlPager<R, T, S> extends Rows<R, T, S> {
  readonly size: number;
  fetch(
    io: Io<S>,
    at: At,
    where: { readonly first: number; readonly after: string | null },
  ): Promise<z.infer<ReturnType<typeof connection<R>>>>;
}

/** For connections with `pageInfo`. */
export const graphqlPager =
  <R, T, S>(pager: GraphqlPager<R, T, S>): ReadPage<T, S> =>
  async (io, at) => {
    const after = typeof at.cursor?.after === "string" ? at.cursor.after : null;
    const { nodes, pageInfo } = await pager.fetch(io, at, { first: sizeAt(at, pager.size), after });
    const end = pageInfo.hasNextPage ? (pageInfo.endCursor ?? null) : null;
    return toPage(pager, io, nodes, end === null ? null : { after: end });
  };

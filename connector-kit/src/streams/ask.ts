import type { ZodType } from "zod";
import type { FamilyRecord } from "../families/stream.ts";
import type { HttpRequest, Io } from "../io.ts";
import type { SourceStream } from "../source.ts";

/** One object; null if it no longer exists. Throws if the tool does not show it. */
export const askOne = async <T, S>(io: Io<S>, request: HttpRequest, row: ZodType<T>): Promise<T | null> => {
  const answer = await io.http.send({ ...request, accept: [404] });
  return answer.status === 404 ? null : answer.json(row);
};

export interface Listed<R> {
  readonly rows: readonly R[];
  /** Left out or null: unknown. The list then ends with a page that is not full. */
  readonly total?: number | null;
}

/** All pages of a list that is always short, each row once. */
export const askWholeList = async <R extends { readonly id: string | number }>(
  size: number,
  fetch: (where: { readonly page: number; readonly offset: number }) => Promise<Listed<R>>,
): Promise<readonly R[]> => {
  const all = new Map<string | number, R>();
  for (let page = 1, offset = 0; ; page += 1, offset += size) {
    const { rows, total = null } = await fetch({ page, offset });
    for (const row of rows) all.set(row.id, row);
    const isLast = total === null ? rows.length < size : offset + rows.length >= total;
    if (rows.length === 0 || isLast) return [...all.values()];
  }
};

/** Loads rows one by one, without those that no longer exist. */
export const eachById =
  <R, S>(ask: (io: Io<S>, id: string) => Promise<R | null>) =>
  async (io: Io<S>, ids: readonly string[]): Promise<readonly R[]> => {
    const rows = await Promise.all(ids.map((id) => ask(io, id)));
    return rows.filter((row) => row !== null);
  };

/** Whether a tool with numbers as ids can have issued it: ids of other tools can have any form. */
export const isNumericId = (id: string): boolean => /^[1-9]\d{0,9}$/.test(id) && Number(id) < 2 ** 31;

/** The `read` of a destination whose tool is a source too, and shows a copy as any other record. */
export const readInOrder =
  <T extends FamilyRecord, S>({ readByIds }: Pick<SourceStream<T, S>, "readByIds">) =>
  async (io: Io<S>, ids: readonly string[]): Promise<readonly (T | null)[]> => {
    const found = new Map((await readByIds(io, ids)).map((record) => [record.id, record]));
    return ids.map((id) => found.get(id) ?? null);
  };

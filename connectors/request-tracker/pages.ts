import { keysetPager, type Pages } from "@portage/connector-kit";
import { askList, type Question } from "./ask.ts";
import { toRtTime } from "./moments.ts";
import type { RtSettings } from "./settings.ts";

/** The pages of a list that takes a JSON query, by id, and by the time of change if its rows have one. */
export const limitPages =
  <R extends { readonly id: number }>(question: Question<R>, size: number): Pages<R, RtSettings> =>
  (rows) =>
    keysetPager({
      ...rows,
      size,
      async fetch(io, { since }, { after, size: length }) {
        const limits = [
          { field: "id", operator: ">", value: Number(after ?? 0) },
          ...(since ? [{ field: "LastUpdated", operator: ">=", value: toRtTime(since) }] : []),
        ];
        return (await askList(io, { ...question, limits, size: length })).rows;
      },
    });

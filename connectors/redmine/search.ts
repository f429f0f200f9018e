import { z } from "zod";
import { askList } from "./ask.ts";
import type { RedmineIo } from "./settings.ts";

const hitRow = z.object({ id: z.number(), type: z.string(), url: z.string() });

/** Finds texts that contain a key through Redmine's search. The search also matches parts of words: compare results. */
export const searchKey = async (
  io: RedmineIo,
  where: "issues" | "wiki_pages",
  key: string,
): Promise<readonly z.infer<typeof hitRow>[]> => {
  const query = { q: `portage:${key}`, [where]: 1, all_words: 1, limit: 100 };
  return (await askList(io, "search.json", "results", hitRow, query)).rows;
};

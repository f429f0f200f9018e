import { maxPeopleFileBytes, type WizardPeopleFile } from "@portage/contract/wizard";
import type { Problem } from "../../../client/problem.ts";
import type { Client } from "../../api/client.ts";
import type { MatchingStore } from "../../matching/matching-store.ts";
import { decodeList } from "./decode-list.ts";
import { chooseThese } from "./person-choice.ts";

/** What became of a list that was brought back. */
export type PeopleFileResult =
  | {
      readonly kind: "taken";
      readonly list: WizardPeopleFile;
      readonly isUtf8: boolean;
      /** False: its choices are on the page only. */
      readonly isSaved: boolean;
    }
  | { readonly kind: "refused"; readonly problem: Problem; readonly isUtf8: boolean }
  /** `not_started`: earlier changes could not be saved. `not_opened`: the browser may not read the file. */
  | { readonly kind: "too_large" | "not_started" | "not_opened" };

interface TakeNeeds {
  readonly client: Pick<Client, "request">;
  readonly store: Pick<MatchingStore, "edit" | "flush">;
  /** Of the page. */
  readonly language: string;
  /** Notes whom the list decides about. */
  readonly touch: (ids: readonly string[]) => void;
}

const open = (file: File): Promise<ArrayBuffer | null> =>
  // Moved or changed since it was chosen; on Windows also: still open in the spreadsheet.
  file.arrayBuffer().catch(() => null);

/** Reads a list of people, takes its choices over and saves them. */
export const takePeopleFile = async (
  { client, store, language, touch }: TakeNeeds,
  file: File,
): Promise<PeopleFileResult> => {
  if (file.size > maxPeopleFileBytes) return { kind: "too_large" };
  // What the list says is compared with what is saved.
  if (!(await store.flush())) return { kind: "not_started" };
  const bytes = await open(file);
  if (!bytes) return { kind: "not_opened" };
  const { text, isUtf8 } = decodeList(bytes, language);
  const body = { text };
  // Letters that are not UTF-8 in the file take more room in the body.
  if (new Blob([JSON.stringify(body)]).size > maxPeopleFileBytes) return { kind: "too_large" };
  const answer = await client.request<WizardPeopleFile>("/mapping/people/file", { method: "POST", body });
  if (answer.kind !== "ok") return { kind: "refused", problem: answer, isUtf8 };
  const list = answer.value;
  touch(Object.keys(list.choices));
  store.edit(chooseThese(list.choices));
  return { kind: "taken", list, isUtf8, isSaved: await store.flush() };
};

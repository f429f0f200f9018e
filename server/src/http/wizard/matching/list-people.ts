import {
  type listDestinationPeople,
  type ListedSourcePerson,
  type listSourcePeople,
  type PeopleAnswer,
  type ShowPeople,
  shownPeople,
} from "../../../features/mapping/index.ts";
import { type Answer, invalid, ok, Problem } from "../../answer.ts";
import { limitRule, readLimit } from "../../page-limit.ts";
import type { Query } from "../../query.ts";
import type { WizardRoute } from "../access/route.ts";
import { decidedIn, type FindMatching, notGathered } from "./matching.ts";

type SourceQuestion = Parameters<typeof listSourcePeople>[2];
type Question = Parameters<typeof listDestinationPeople>[2];

interface Needs {
  readonly findMatching: FindMatching;
  readonly listSourcePeople: (
    importId: string,
    question: SourceQuestion,
  ) => Promise<PeopleAnswer<ListedSourcePerson>>;
  readonly listDestinationPeople: (
    importId: string,
    question: Question,
  ) => ReturnType<typeof listDestinationPeople>;
}

const longestSearch = 200;

type PeopleQuery =
  | { readonly kind: "source"; readonly question: Question; readonly show: ShowPeople }
  | { readonly kind: "destination"; readonly question: Question }
  | { readonly kind: "invalid"; readonly answer: Answer };

const refuse = (name: string, rule: string): PeopleQuery => ({
  kind: "invalid",
  answer: invalid({ [name]: [rule] }),
});

const readPeopleQuery = (query: Query): PeopleQuery => {
  const side = query.get("side")?.text;
  const wanted = query.get("show")?.text ?? "all";
  const show = shownPeople.find((each) => each === wanted);
  const search = query.get("search")?.text ?? "";
  const limit = readLimit(query);
  if (limit === null) return refuse("limit", limitRule);
  if (search.length > longestSearch) return refuse("search", `must be at most ${longestSearch} characters`);
  if (!show) return refuse("show", `must be one of ${shownPeople.join(", ")}`);
  const question = { after: query.get("after")?.text ?? null, limit, search };
  if (side === "source") return { kind: side, question, show };
  return side === "destination" ? { kind: side, question } : refuse("side", "must be source or destination");
};

const answerPage = (page: PeopleAnswer<unknown>): Answer => {
  if (page.kind === "missing") throw notGathered();
  if (page.kind === "gathered_anew")
    throw new Problem("conflict", "The tools were read again in the meantime. Start from the first page.");
  return ok({ people: page.people, next: page.next });
};

/** Pages through the people of a side; those of the source tool come with their suggestion and decision. */
export const listPeople = (needs: Needs): WizardRoute => ({
  method: "GET",
  path: "/mapping/people",
  handle: async ({ import: { id }, query }) => {
    const asked = readPeopleQuery(query);
    if (asked.kind === "invalid") return asked.answer;
    if (asked.kind === "destination")
      return answerPage(await needs.listDestinationPeople(id, asked.question));
    const mapping = decidedIn(await needs.findMatching(id));
    const { question, show } = asked;
    return answerPage(await needs.listSourcePeople(id, { ...question, show, mapping }));
  },
});

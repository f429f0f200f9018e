import type { ChoiceValue, WizardChoiceValues } from "@portage/contract/wizard";
import {
  type SourceCounter,
  type Survey,
  type Surveys,
  surveyedValues,
} from "../../../features/inventory/index.ts";
import { ok } from "../../answer.ts";
import type { WizardRoute } from "../access/route.ts";
import { notConnected } from "./not-connected.ts";

interface Needs {
  readonly counter: Pick<SourceCounter, "of">;
  readonly surveys: Pick<Surveys, "of">;
}

const nothing = { all: false, statuses: null, groups: null, tags: null };

const inAll = (survey: Survey, totals: ReadonlyMap<string, number | null>) => {
  const valuesOf = (property: "status" | "group" | "tags"): readonly ChoiceValue[] | null => {
    const found = surveyedValues(survey, property);
    if (found === null) return null;
    const total = totals.get(found.stream) ?? null;
    return found.values.map(({ value, label, seen }) => ({
      value,
      label,
      count: found.all
        ? seen
        : total === null || found.looked === 0
          ? null
          : Math.round((total * seen) / found.looked),
    }));
  };
  return { statuses: valuesOf("status"), groups: valuesOf("group"), tags: valuesOf("tags") };
};

/** The statuses, groups and tags that records of the source have. */
export const showChoiceValues = ({ counter, surveys }: Needs): WizardRoute => ({
  method: "GET",
  path: "/choices/values",
  handle: async ({ import: { id, family } }) => {
    const [state, counts] = await Promise.all([surveys.of(id, family), counter.of(id, family)]);
    if (state.kind === "not_connected" || counts.kind === "not_connected") throw notConnected();
    if (state.kind !== "read")
      return ok({
        ...nothing,
        state: state.kind === "reading" ? "reading" : "unavailable",
      } satisfies WizardChoiceValues);
    const totals = new Map(counts.streams.map(({ from, look }) => [from.stream.name, look?.count ?? null]));
    return ok({
      state: "read",
      all: state.survey.streams.every(({ all }) => all),
      ...inAll(state.survey, totals),
    } satisfies WizardChoiceValues);
  },
});

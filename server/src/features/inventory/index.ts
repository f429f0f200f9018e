/**
 * Finds out what can move. Entry points: `createSourceCounts` (counts the source's records in the background),
 * `createSurveys` (reads some of its records: what there is to choose by), `countChosenOrNull`, `createFindKinds` (which
 * kinds the destination takes, and what copies keep), `streamChoices` and `describeCount` (for the wizard's pages).
 * Invariants: it only reads. Counts belong to one sign-in: their key is the import and the connection's revision.
 * Callers wait a limited time: `answerWithinMs` for counts, `patienceMs` for kinds. Without the destination's answer it
 * promises nothing (null).
 */
export { countChosenOrNull } from "./count-chosen.ts";
export { describeCount } from "./describe-count.ts";
export { createFindKinds, type FindKinds } from "./find-kinds.ts";
export { kindsOf } from "./kinds.ts";
export {
  createSourceCounts,
  type SourceCounter,
  type SourceCounts,
} from "./source-counts.ts";
export { streamChoices } from "./stream-choices.ts";
export { createSurveys, type Survey, surveyedValues, type Surveys } from "./survey-source.ts";

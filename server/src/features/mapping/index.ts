export { changedFieldLabel } from "./changed-field-label.ts";
export { type ComparedField, compareRecords, type MovedField } from "./compare-records.ts";
export { type CompiledMapping, compileMapping, personFor } from "./compile-mapping.ts";
export { type Facts, movable } from "./facts.ts";
export { emailKey } from "./fold.ts";
export { gatherFacts } from "./gather-facts.ts";
export { gatherOnce } from "./gather-once.ts";
export {
  listDestinationPeople,
  type ListedSourcePerson,
  listSourcePeople,
  type PeopleAnswer,
  shownPeople,
  type ShowPeople,
} from "./list-people.ts";
export { mappingForRun } from "./mapping-for-run.ts";
export { mappingTouches } from "./mapping-touches.ts";
export { emptyMapping, type Mapping, mappingSchema, selectionSchema } from "./mapping.ts";
export { movedFields } from "./moved-fields.ts";
export { mostPreviewed, type Previewed, previewRecord } from "./preview-record.ts";
export {
  eraseOldMatching,
  forgetFacts,
  forgetMatching,
  hasFacts,
  loadFacts,
  saveFacts,
} from "./store-facts.ts";
export { listUsed, type LoadedMapping, loadMapping, loadRevision, type Saved, saveMapping } from "./store.ts";
export { suggestFields } from "./suggest-fields.ts";
export { suggestMapping } from "./suggest-mapping.ts";
export { suggestWords } from "./suggest-words.ts";
export { peopleStreamOf } from "./word-fields.ts";
export { dated, isStreamSelected, rangeOf } from "./selection.ts";
export { typeFit } from "./type-fit.ts";
export { requiredBy, validateMapping } from "./validate-mapping.ts";

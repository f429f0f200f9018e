export { changedFieldLabel } from "./present/changed-field-label.ts";
export { type ComparedField, compareRecords, type MovedField } from "./present/compare-records.ts";
export { type CompiledMapping, compileMapping, personFor } from "./apply/compile-mapping.ts";
export { type Facts, movable } from "./model/facts.ts";
export { emailKey } from "./model/fold.ts";
export { gatherFacts } from "./facts/gather-facts.ts";
export { gatherOnce } from "./facts/gather-once.ts";
export {
  listDestinationPeople,
  type ListedSourcePerson,
  listSourcePeople,
  type PeopleAnswer,
  shownPeople,
  type ShowPeople,
} from "./facts/list-people.ts";
export { mappingForRun } from "./apply/mapping-for-run.ts";
export { mappingTouches } from "./apply/mapping-touches.ts";
export { emptyMapping, type Mapping, mappingSchema, selectionSchema } from "./model/mapping.ts";
export { movedFields } from "./present/moved-fields.ts";
export { mostPreviewed, type Previewed, previewRecord } from "./present/preview-record.ts";
export {
  eraseOldMatching,
  forgetFacts,
  forgetMatching,
  hasFacts,
  loadFacts,
  saveFacts,
} from "./facts/store-facts.ts";
export {
  listUsed,
  type LoadedMapping,
  loadMapping,
  loadRevision,
  type Saved,
  saveMapping,
} from "./model/store.ts";
export { suggestFields } from "./suggest/suggest-fields.ts";
export { suggestMapping } from "./suggest/suggest-mapping.ts";
export { suggestWords } from "./suggest/suggest-words.ts";
export { peopleStreamOf } from "./model/word-fields.ts";
export { dated, isStreamSelected, rangeOf } from "./model/selection.ts";
export { typeFit } from "./suggest/type-fit.ts";
export { requiredBy, validateMapping } from "./validate/validate-mapping.ts";

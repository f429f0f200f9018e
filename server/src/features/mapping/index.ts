/**
 * Decides how records of the source become records of the destination: fields, their options (statuses, priorities), people.
 * `facts/` reads both tools, `suggest/` proposes, `validate/` checks, `model/` stores, `apply/` converts, `present/`
 * shows.
 * Entry points: `gatherFacts`, `gatherOnce`, `suggestMapping`, `validateMapping`, `saveMapping`, `loadMapping`,
 * `mappingForRun` (the revision a run uses), `compileMapping` (to apply it), `previewRecord`, `compareRecords`.
 * Invariants: Gathering never writes to a tool. A revision never changes, and a run's revision is kept while the
 * import is open; a save based on an outdated one is `stale` (model/store.ts). Applying a mapping is deterministic,
 * calls no tool and reports every loss by label, never by value (apply/compile-fields.ts, apply/convert-field.ts).
 * Facts are sealed with the import's data key (facts/store-facts.ts) and erased with the source's sign-in
 * (imports/disconnect-side.ts).
 */
export { changedFieldLabel } from "./present/changed-field-label.ts";
export { type ComparedField, compareRecords, type ReadAs } from "./present/compare-records.ts";
export { type CompiledMapping, compileMapping, personFor } from "./apply/compile-mapping.ts";
export {
  type CreatedField,
  creationOf,
  creationsIn,
  type FieldToCreate,
  resolveCreations,
  usesIn,
} from "./model/created-fields.ts";
export { canCopyPeople, type Facts, movable } from "./model/facts.ts";
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
export { makesSame } from "./apply/makes-same.ts";
export { mappingTouches } from "./apply/mapping-touches.ts";
export {
  emptyMapping,
  type Mapping,
  mappingSchema,
  type Selection,
  selectionSchema,
} from "./model/mapping.ts";
export { type ReadPeopleFile, readPeopleFile } from "./people-table/read-people-file.ts";
export { writePeopleFile } from "./people-table/write-people-file.ts";
export { personFieldsOf } from "./model/person-fields.ts";
export { nothingKnown, type PreviewNames, readAs } from "./present/moved-fields.ts";
export type { ShownValue } from "./present/shown-value.ts";
export { maxPreviewed, type Previewed, previewRecord } from "./present/preview-record.ts";
export {
  eraseOldMatching,
  forgetFacts,
  forgetMatching,
  hasFacts,
  loadFacts,
  loadStreamFacts,
  saveFacts,
} from "./facts/store-facts.ts";
export {
  countUsed,
  listCreatedFields,
  listUsed,
  type LoadedMapping,
  loadMapping,
  loadResolvedMapping,
  loadRevision,
  type MappingToSave,
  type Saved,
  saveMapping,
} from "./model/store.ts";
export { suggestFields } from "./suggest/suggest-fields.ts";
export { likelyMatch, suggestMapping } from "./suggest/suggest-mapping.ts";
export { suggestWords } from "./suggest/suggest-words.ts";
export { holdsPeople, peopleStreamOf } from "./model/word-fields.ts";
export { visitRecords } from "./facts/look-at-records.ts";
export {
  type ChoosableFields,
  choosable,
  choiceValues,
  compileSelection,
  dated,
  isStreamSelected,
  limitsRecords,
  rangeOnly,
} from "./model/selection.ts";
export { typeFit } from "./suggest/type-fit.ts";
export { requiredBy, validateMapping } from "./validate/validate-mapping.ts";

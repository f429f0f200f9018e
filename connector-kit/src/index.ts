/**
 * The interface between a connector and the engine: types, families, errors and pagers.
 * Entry points: `Connector` (what an author implements), `Io` (what the engine passes to each call), the families
 * `helpdesk`, `projects`, `crm` and `content`, and the pagers. Other imports: `/http`, `/rich-text`, `/conformance`,
 * `/testing`.
 * Invariants: a connector throws only `ConnectorError`s; a write whose answer is lost is `unknown`, never `rejected`;
 * a copy's losses are `FieldChange`s; loops, retries across calls, tokens and storage belong to the engine.
 */
export { emptyAddedFields, leaveOutUnheld, streamLosses, unheldFields } from "./added-fields.ts";
export {
  changesOnTheWay,
  declaredBy,
  declaredOf,
  declaredTogether,
  differingFields,
  type Declared,
  type Reasons,
} from "./compare-records.ts";
export type { Removed } from "./removed.ts";
export type { Account, Connector, Destination } from "./connector.ts";
export type {
  FindQuery,
  DestinationStream,
  Guarantee,
  FieldChange,
  Outcome,
  Person,
  FieldOption,
  Write,
} from "./destination.ts";
export {
  ConnectorError,
  isConnectorError,
  isOddAnswer,
  outcomeUnknown,
  type ConnectorErrorDetail,
  type Recovery,
} from "./errors.ts";
export {
  customFieldTypes,
  type CustomField,
  type CustomFieldType,
  type CustomValue,
} from "./families/custom-field.ts";
export {
  noFieldSetup,
  type CreatableFields,
  type FieldOutcome,
  type FieldSetup,
  type NewField,
} from "./field-setup.ts";
export { instanceId } from "./instance-id.ts";
export { content, crm, familyStreams, findStream, helpdesk, projects } from "./families/index.ts";
export { linkOf } from "./families/link-of.ts";
export { isRichText, isWho, type RichText, type TextReference, type Who } from "./families/record-parts.ts";
export {
  ownerFieldsOf,
  ownersOf,
  referencesOf,
  resolveReferences,
  type Reference,
  type Resolve,
  type Resolved,
} from "./families/references.ts";
export { isRead, readingOnly, watchEffects, type WatchedIo } from "./http/effects.ts";
export type { FamilyRecord, FamilyStream, RecordKind, RecordOf, Relation } from "./families/stream.ts";
export type {
  Download,
  FileBody,
  Http,
  HttpRequest,
  HttpResponse,
  Io,
  KeptAnswers,
  Method,
  Part,
  QueryValue,
} from "./io.ts";
export {
  kitVersion,
  longestGraceMs,
  type AnswerToExplain,
  type CountedRequests,
  type Dialect,
  type Explanation,
  type HeaderValue,
  type Hosts,
  type LearnedSettings,
  type LeftOut,
  type Manifest,
  type NoSignIn,
  type OAuth2,
  type QuotaHeaders,
  type RateLimit,
  type Role,
  type Secret,
  type SignInChoice,
  type ToSign,
} from "./manifest.ts";
export type { At, Cursor, Page, Unreadable } from "./page.ts";
export { pathWithin, type PathWithin } from "./path-within.ts";
export { counted } from "./counted-file.ts";
export { type DateRange, isWithin } from "./date-range.ts";
export { holdersOf, isRemovable } from "./removal.ts";
export {
  canariesIn,
  parentOfCanary,
  type Canary,
  type CanaryCopy,
  type CanaryNames,
  type SentMessage,
  type Silence,
} from "./silence.ts";
export type { SourceStream } from "./source.ts";
export { removeRecord, writeRecord } from "./write-record.ts";
export { keysetPager, keysetSlice } from "./pagers/keyset-pager.ts";
export { linkPager, nextLink } from "./pagers/link-pager.ts";
export { offsetPager } from "./pagers/offset-pager.ts";
export { pagePager } from "./pagers/page-pager.ts";
export { toPage, type Key, type Rows } from "./pagers/to-page.ts";
export { tokenPager } from "./pagers/token-pager.ts";
export { inChunks } from "./in-chunks.ts";
export { loadTogether } from "./load-together.ts";
export { once, type Once } from "./once.ts";
export { expiringPager } from "./pagers/expiring-pager.ts";
export { connection, graphql, graphqlPager, type GraphqlError } from "./pagers/graphql-pager.ts";
export { newestFirstPager } from "./pagers/newest-first-pager.ts";
export { inPhases, type Pages, type ReadPage } from "./pagers/pages.ts";
export { windowPager } from "./pagers/window-pager.ts";
export { hasStatus, isRefusal, recover, refusing, skipRecord } from "./refusals.ts";
export { type Address, addressBook } from "./streams/addresses.ts";
export { askOne, askWholeList, eachById, isNumericId, type Listed, readInOrder } from "./streams/ask.ts";
export { shareAnswer, type SharedAnswer } from "./streams/share-answer.ts";
export {
  childStream,
  type ChildStream,
  listStream,
  type ListStream,
  readPages,
} from "./streams/list-stream.ts";
export { awaitJob, type JobState } from "./writing/await-job.ts";
export { findByKey, type KeyPlace } from "./writing/find-by-key.ts";
export { foreignId } from "./writing/foreign-id.ts";
export { type Hold, type Holds, lineOf, mayDiffer, notHeld, ownValue, textOf } from "./writing/holds.ts";
export { keyAtEnd, keyIn, markerOf, withMarker, withoutMarker } from "./writing/marker.ts";
export { hasOthers } from "./writing/others-added.ts";
export { momentLine, type Origin, originLine, personLine, strangeFields } from "./writing/origin-line.ts";
export { matchesChecksum, checksumOf, splitOrigin, withOrigin } from "./writing/origin.ts";
export {
  cleared,
  converted,
  idsByKey,
  kept,
  keyDiffers,
  othersAdded,
  inDoubt,
  rejected,
  removed,
} from "./writing/outcomes.ts";
export { pickByWord } from "./writing/pick-by-word.ts";
export { type Made, recordStream, type RecordStream } from "./writing/record-stream.ts";
export { oneLine, truncate, truncateBytes } from "./writing/truncate.ts";
export { removeEach, writeEach } from "./writing/write-each.ts";
export { type Together, writeTogether } from "./writing/write-together.ts";

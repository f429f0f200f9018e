export type {
  WizardImport,
  WizardMay,
  WizardPartner,
  WizardSetting,
  WizardSide,
  WizardSideState,
} from "./import.ts";
export type {
  WizardBought,
  WizardBuy,
  WizardCheckout,
  WizardNoOffer,
  WizardPackage,
  WizardPurchase,
  WizardQuote,
  WizardReceipt,
  WizardReminded,
  WizardReturned,
} from "./billing.ts";
export type {
  CheckUploads,
  InspectUploads,
  NewUpload,
  WizardColumn,
  WizardCheckedFile,
  WizardCheckedFiles,
  WizardDialect,
  WizardExampleFile,
  WizardFileChoice,
  WizardInspectedFile,
  WizardInspectedFiles,
  WizardQuestion,
  WizardTableField,
  WizardTableStream,
  WizardUpload,
  WizardUploads,
} from "./uploads.ts";
export type { WizardKind } from "./kinds.ts";
export type { SchedulePlan, WizardSchedule } from "./schedule.ts";
export type { ListedLink, ListedLinks, MadeLink, NewAdminLink } from "./links.ts";
export type { SetNotices, WizardNotices } from "./notices.ts";
export type {
  WizardLater,
  WizardOldLinks,
  WizardReportRecord,
  WizardReportRecords,
  WizardSafeguards,
  WizardUndoReport,
} from "./full.ts";
export type {
  ChoiceStream,
  ChoiceValue,
  SelectionChange,
  SelectionConflict,
  SelectionFilter,
  WizardChoices,
  WizardChoiceValues,
  WizardChosenCounts,
  WizardSelection,
} from "./choosing.ts";
export type {
  ConnectRefused,
  FoundStream,
  TakenStream,
  WizardConnected,
  WizardFound,
  WizardRefusal,
} from "./connecting.ts";
export type {
  WizardAskedFull,
  WizardMoved,
  WizardProgress,
  WizardRunKind,
  WizardRunProgress,
  WizardStartRun,
  WizardStatus,
  WizardStreamProgress,
} from "./progress.ts";
export type { WizardPreflight, WizardPreflightFinding, WizardSilence } from "./preflight.ts";
export type {
  WizardComparedField,
  WizardPreview,
  WizardPreviewQuestion,
  WizardShown,
} from "./compared.ts";
export type {
  WizardAddRecord,
  WizardAddedRecord,
  WizardFacet,
  WizardRecordState,
  WizardSample,
  WizardSampleChanges,
  WizardSampleLimit,
  WizardSampleRecord,
  WizardSampleRecords,
  WizardWhy,
} from "./sample.ts";
export type {
  WizardCause,
  WizardFixPreview,
  WizardFixQuestion,
  WizardExample,
  WizardFieldChange,
  WizardCreatedField,
  WizardLeftBehind,
  WizardReport,
  WizardStreamChanges,
  WizardStreamReport,
  WizardUndoPreview,
  WizardWarnings,
} from "./report.ts";
export type {
  WizardCreation,
  WizardCustomField,
  WizardFieldChoice,
  WizardFieldShape,
  WizardFieldSuggestion,
  WizardFieldWhy,
  WizardFieldType,
  WizardGathered,
  WizardMapping,
  WizardMappingCurrent,
  WizardMappingProblem,
  WizardMappingRefused,
  WizardMatching,
  WizardPersonChoice,
  WizardSaveMapping,
  WizardSavedMapping,
  WizardSourceField,
  WizardStreamFacts,
  WizardStreamMapping,
  WizardWordChoice,
  WizardWordSuggestion,
} from "./mapping.ts";
export type {
  WizardDestinationPeople,
  WizardPeopleFile,
  WizardPeopleFileReason,
  WizardPerson,
  WizardPersonSuggestion,
  WizardShowPeople,
  WizardSourcePeople,
  WizardSourcePerson,
  WizardSuggestedPeople,
} from "./people.ts";
export { maxPeopleFileBytes } from "./people.ts";

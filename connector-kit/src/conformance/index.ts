export { ConformanceFailure } from "./assert.ts";
export type { Check, Noted, Skipped } from "./check.ts";
export type { Subject } from "./subject.ts";
export { hostileLines, hostileMoments, hostileTexts, largeText } from "./hostile-texts.ts";
export { createRandom, type Random } from "./random.ts";
export { type RefusalOptions, type RefusalReport, runRefusals } from "./refused-writes.ts";
export {
  conformanceChecks,
  runConformance,
  testConformance,
  type CheckResult,
  type TestContext,
  type TestFramework,
  type Verdict,
} from "./run-conformance.ts";
export { sampleRecords, type SampleOptions } from "./sample-records.ts";

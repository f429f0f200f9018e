export { ConformanceFailure, type Check, type Skipped, type Subject } from "./check.ts";
export { hostileLines, hostileMoments, hostileTexts, largeText } from "./hostile-texts.ts";
export { createRandom, type Random } from "./random.ts";
export {
  conformanceChecks,
  runConformance,
  testConformance,
  type CheckResult,
  type TestFramework,
  type Verdict,
} from "./run-conformance.ts";
export { sampleRecords, type SampleOptions } from "./sample-records.ts";

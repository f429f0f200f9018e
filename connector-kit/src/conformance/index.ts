export { createRandom, type Random } from "./random.ts";
export { hostileLines, hostileMoments, hostileTexts, largeText } from "./hostile-texts.ts";
export { sampleRecords, type SampleOptions } from "./sample-records.ts";

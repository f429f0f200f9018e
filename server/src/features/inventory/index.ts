export { describeCount } from "./describe-count.ts";
export { createFindKinds, type FindKinds } from "./find-kinds.ts";
export { kindsOf } from "./kinds.ts";
export {
  createSourceCounts,
  type SourceCounter,
  type SourceCounts,
  type StreamCount,
} from "./source-counts.ts";
export { streamChoices } from "./stream-choices.ts";

import type { WizardStreamFacts } from "@portage/contract/wizard";
import type { ReadyMatching } from "../../matching/matching-store.ts";
import { movingStreams } from "../../matching/moving-streams.ts";
import { wordIn } from "./field-choice.ts";
import { fieldRows } from "./field-rows.ts";

/** How many options of a stream have neither a choice nor the same option in the destination. */
export const openWords = ({ mapping }: ReadyMatching, stream: WizardStreamFacts): number =>
  Object.entries(stream.suggestions.words).flatMap(([field, words]) =>
    words.filter(
      ({ word }) =>
        !wordIn(mapping, stream.name, field, word) &&
        !stream.destinationWords[field]?.some(({ value }) => value === word),
    ),
  ).length;

/** How many fields and options still need the customer. */
export const openDecisions = (ready: ReadyMatching, touched: ReadonlySet<string>): number =>
  movingStreams(ready).reduce(
    (sum, stream) =>
      sum +
      fieldRows(ready, stream, touched).filter(({ confidence }) => confidence === "open").length +
      openWords(ready, stream),
    0,
  );

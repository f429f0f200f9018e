import { type Facts, isStreamSelected, type Mapping, movable, suggestWords } from "../mapping/index.ts";
import { type Finding, streamWords } from "./finding.ts";

/** Words in use that nobody matched and that the destination does not have. */
export const findUnmatchedWords = (facts: Facts, mapping: Mapping): readonly Finding[] =>
  movable(facts)
    .filter(({ name }) => isStreamSelected(mapping, name))
    .flatMap(({ name, words, destinationWords }): readonly Finding[] => {
      const own = mapping.streams[name]?.words ?? {};
      const lost = Object.entries(words).flatMap(([field, seen]) => {
        const known = Object.hasOwn(destinationWords, field) ? destinationWords[field] : undefined;
        const chosen = Object.hasOwn(own, field) ? (own[field] ?? {}) : {};
        const count = suggestWords({ family: facts.family, field, seen, known }).filter(
          ({ word, confidence }) => confidence < 1 && !Object.hasOwn(chosen, word),
        ).length;
        return count === 0 ? [] : [{ field, count }];
      });
      const count = lost.reduce((sum, each) => sum + each.count, 0);
      if (count === 0) return [];
      const names = lost.map(({ field }) => field);
      return [
        {
          code: "words_unmatched",
          level: "warns",
          side: "destination",
          stream: name,
          count,
          names,
          message: `${count === 1 ? "One word" : `${count} words`} that ${streamWords(facts.family, name)} have (${names.join(", ")}) ${count === 1 ? "has" : "have"} no counterpart in the new tool.`,
          fix: "Choose a word of the new tool for each; else the new tool puts what it thinks fit.",
        },
      ];
    });

import type { Mapping, PersonChoice } from "../model/mapping.ts";
import { holdsPeople } from "../model/word-fields.ts";

export type PersonFor =
  /** A person of the destination: the match, or the stand-in for people without one. */
  | { readonly kind: "person"; readonly id: string }
  /** Written as a record. */
  | { readonly kind: "copy" }
  /** The name stays as provenance. */
  | { readonly kind: "none" };

export interface SourcePerson {
  readonly stream: string;
  readonly id: string;
}

const copy: PersonFor = { kind: "copy" };
const noPerson: PersonFor = { kind: "none" };

export const compilePeople = ({ people, selection }: Mapping): ((source: SourcePerson) => PersonFor) => {
  const standIn: PersonFor = people.defaultId === null ? noPerson : { kind: "person", id: people.defaultId };
  const isLeftOut = (stream: string) => selection.streams !== null && !selection.streams.includes(stream);
  const answerOf = (choice: PersonChoice): PersonFor => {
    if (choice.to === "person") return { kind: "person", id: choice.id };
    if (choice.to === "default") return standIn;
    return choice.to === "copy" ? copy : noPerson;
  };
  const others = answerOf({ to: people.unmatched });
  const answers = new Map(Object.entries(people.choices).map(([id, choice]) => [id, answerOf(choice)]));
  return ({ stream, id }) => {
    if (!holdsPeople(stream)) return copy;
    const answer = answers.get(id) ?? others;
    return answer === copy && isLeftOut(stream) ? noPerson : answer;
  };
};

import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take minutes: if one of them started last, the whole run would wait for it. */
const longest = [
  "test/wizard/story/redmine-to-desk.test.ts",
  "test/journeys/moves.test.ts",
  "connectors/redmine/conformance.real.test.ts",
  "test/wizard/sample.test.ts",
  "connectors/redmine/copy.real.test.ts",
  "connectors/request-tracker/conformance.real.test.ts",
  "connectors/znuny/conformance.real.test.ts",
  "test/wizard/move.test.ts",
  "test/wizard/buy.test.ts",
];

/** The long files first, in every project; the rest in Vitest's order. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = longest.findIndex((name) => moduleId.endsWith(name));
      return at === -1 ? longest.length : at;
    };
    // oxlint-disable-next-line unicorn/no-array-sort -- not an array's: Vitest's own
    const asUsual = await super.sort(files);
    return asUsual.toSorted((one, other) => rank(one) - rank(other));
  }
}

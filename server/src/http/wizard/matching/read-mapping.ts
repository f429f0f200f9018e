import { type Facts, type Mapping, mappingSchema, validateMapping } from "../../../features/mapping/index.ts";
import type { Answer } from "../../answer.ts";

interface MappingIssue {
  readonly path: readonly string[];
  readonly message: string;
}

export type ReadMapping =
  | { readonly kind: "valid"; readonly mapping: Mapping; readonly warnings: readonly MappingIssue[] }
  | { readonly kind: "invalid"; readonly answer: Answer };

/** The response lists no more problems than this: customers fix a few and try again. */
const maxReported = 200;

/** Large enough for a mapping with as many people as a customer can match by hand. */
export const maxMappingBytes = 8 * 1024 * 1024;

const firstIssues = (problems: readonly MappingIssue[]): readonly MappingIssue[] =>
  problems.slice(0, maxReported).map(({ path, message }) => ({ path, message }));

const refuse = (problems: readonly MappingIssue[]): ReadMapping => ({
  kind: "invalid",
  answer: { status: 422, body: { problems: firstIssues(problems) } },
});

/** Parses a mapping and validates it against the facts of the two tools. */
export const readMapping = (sent: unknown, facts: Facts): ReadMapping => {
  const parsed = mappingSchema.safeParse(sent);
  if (!parsed.success)
    return refuse(parsed.error.issues.map(({ path, message }) => ({ path: path.map(String), message })));
  const validated = validateMapping(parsed.data, facts);
  return validated.kind === "valid"
    ? { ...validated, warnings: firstIssues(validated.warnings) }
    : refuse(validated.problems);
};

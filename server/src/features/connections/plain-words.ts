import type { z } from "zod";

const lengths = (issue: { readonly origin?: unknown }, one: string) =>
  issue.origin === "string" ? ` (${one} characters)` : "";

const formats: Readonly<Record<string, string>> = {
  url: "must be an address such as https://acme.example",
  email: "must be an email address",
};

/** Describes an invalid setting as a plain predicate; a message of the connector's own schema takes precedence. */
export const plainWords = (issue: z.core.$ZodRawIssue): string => {
  if (issue.input === undefined || issue.input === null) return "can't be blank";
  if (issue.code === "invalid_type") return `must be a ${issue.expected}`;
  if (issue.code === "too_small")
    return issue.origin === "string" && Number(issue.minimum) <= 1
      ? "can't be blank"
      : `is too short${lengths(issue, `at least ${issue.minimum}`)}`;
  if (issue.code === "too_big") return `is too long${lengths(issue, `at most ${issue.maximum}`)}`;
  if (issue.code === "invalid_value") return `must be one of ${issue.values.map(String).join(", ")}`;
  return formats[issue.code === "invalid_format" ? issue.format : ""] ?? "does not look right";
};

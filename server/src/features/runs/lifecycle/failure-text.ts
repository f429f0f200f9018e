import type { ConnectorError } from "@portage/connector-kit";

/** Repeated refusals of a tool, by the connector kit's codes. */
const refusals: Readonly<Record<string, string>> = {
  forbidden: "The sign-in to a tool does not have the rights that are needed.",
  not_found: "A tool no longer has something that is needed to go on.",
  too_large: "A tool answered with more than can be read.",
};

/**
 * Why a run can't continue, for everyone who may see the import. A connector's message about its tool as a whole is
 * written for people and holds no response body; its message about one record may quote that record, so our own text
 * replaces it.
 */
export const failureText = ({ recovery, code, message }: ConnectorError): string =>
  recovery === "skip-record"
    ? (refusals[code] ?? "A tool refused something that is needed to go on.")
    : message.replaceAll(/\s+/g, " ").trim();

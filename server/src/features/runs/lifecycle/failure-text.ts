import type { ConnectorError } from "@portage/connector-kit";

/** What a tool refused over and over, by the codes that the kit gives to an answer. */
const refusals: Readonly<Record<string, string>> = {
  forbidden: "The sign-in to a tool does not have the rights that are needed.",
  not_found: "A tool no longer has something that is needed to go on.",
  too_large: "A tool answered with more than can be read.",
};

/**
 * Why a run can't go on, for whoever may see the import. What a connector says of its tool as a whole is written for people
 * and holds no answer's body; what it says of one record may quote that record, so our own words stand in for it.
 */
export const failureText = ({ recovery, code, message }: ConnectorError): string =>
  recovery === "skip-record"
    ? (refusals[code] ?? "A tool refused something that is needed to go on.")
    : message.replaceAll(/\s+/g, " ").trim();

import { atticDesk } from "../../../examples/old-desk/src/connector.ts";

/** For PORTAGE_CONNECTORS: Attic Desk, with the form already filled in. */
export const connector = atticDesk({
  instanceUrl: process.env["ATTIC_URL"],
  token: process.env["ATTIC_KEY"],
});

import { standInConnector } from "../stand-in/connector.ts";
import { readStandInOptions } from "./options.ts";

export const connector = standInConnector({
  ...readStandInOptions(process.env),
  name: "stand-in-oauth",
  label: "Stand-in with OAuth",
  auth: "oauth2",
});

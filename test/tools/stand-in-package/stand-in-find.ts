import { standInConnector } from "../stand-in/connector.ts";
import { readStandInOptions } from "./options.ts";

export const connector = standInConnector({
  ...readStandInOptions(process.env),
  name: "stand-in-find",
  label: "Stand-in that only finds",
  settles: "lookup",
});

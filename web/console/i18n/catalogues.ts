import audit from "./en/audit.json" with { type: "json" };
import billing from "./en/billing.json" with { type: "json" };
import codes from "./en/codes.json" with { type: "json" };
import data from "./en/data.json" with { type: "json" };
import enrol from "./en/enrol.json" with { type: "json" };
import imports from "./en/imports.json" with { type: "json" };
import importDetail from "./en/import.json" with { type: "json" };
import overview from "./en/overview.json" with { type: "json" };
import partner from "./en/partner.json" with { type: "json" };
import partners from "./en/partners.json" with { type: "json" };
import people from "./en/people.json" with { type: "json" };
import records from "./en/records.json" with { type: "json" };
import shell from "./en/shell.json" with { type: "json" };
import signIn from "./en/sign-in.json" with { type: "json" };
import tools from "./en/tools.json" with { type: "json" };
import webhooks from "./en/webhooks.json" with { type: "json" };
import workers from "./en/workers.json" with { type: "json" };

/** One per screen; `shell` is every screen's, `codes` has the words for codes from the server. */
export const catalogues = {
  audit,
  billing,
  codes,
  data,
  enrol,
  imports,
  import: importDetail,
  overview,
  partner,
  partners,
  people,
  records,
  shell,
  "sign-in": signIn,
  tools,
  webhooks,
  workers,
};

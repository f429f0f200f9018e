import { noFieldSetup } from "@portage/connector-kit";

/** Redmine's API lists custom fields and changes none: only its own pages can. */
export const fieldSetup = noFieldSetup(
  "Redmine lets no import add custom fields. An administrator can add one (Administration, Custom fields, New custom field); then read the fields again.",
);

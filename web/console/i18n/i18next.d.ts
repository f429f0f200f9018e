import "i18next";
import type { catalogues } from "./catalogues.ts";

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "shell";
    /** A key that is missing in the catalogue is a type error. */
    resources: typeof catalogues;
  }
}

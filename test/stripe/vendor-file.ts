import { join } from "node:path";

/** The path of the vendor's description, if this machine has it: this repository does not contain it. */
export const vendorFile = join(
  process.env["VENDOR_SPECS"] ?? join(import.meta.dirname, "../../../shared/vendor-specs"),
  "stripe.json",
);

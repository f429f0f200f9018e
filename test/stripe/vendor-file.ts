import { join } from "node:path";

/** Where the vendor's own description lies, if it is there: it is not ours to keep in this repository. */
export const vendorFile = join(
  process.env["VENDOR_SPECS"] ?? join(import.meta.dirname, "../../../shared/vendor-specs"),
  "stripe.json",
);

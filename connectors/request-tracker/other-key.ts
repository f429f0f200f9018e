import type { Removed } from "@portage/connector-kit";

export const otherKey: Removed = {
  kind: "kept",
  code: "other_key",
  message: "This import did not write this record.",
};

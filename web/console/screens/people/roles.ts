import type { StaffRole } from "@portage/contract/operator";

/** What a person of the staff can be, from the least to the most. */
export const assignableRoles = ["viewer", "operator", "admin"] as const satisfies readonly StaffRole[];

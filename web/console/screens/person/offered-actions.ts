import type { OperatorStaff } from "@portage/contract/operator";

export type PersonAction = "invite" | "role" | "disable" | "enable";

/** What the API allows: nobody changes their own account, and a partner's person keeps that role. */
export const personActions = (
  { role, disabled_at }: Pick<OperatorStaff, "role" | "disabled_at">,
  isSelf: boolean,
): readonly PersonAction[] => [
  ...(disabled_at === null ? (["invite"] as const) : []),
  ...(isSelf || role === "partner" ? [] : (["role"] as const)),
  ...(isSelf ? [] : ([disabled_at === null ? "disable" : "enable"] as const)),
];

import { useEffect } from "react";
import { Notice } from "../../../ui/notice.tsx";
import { useImport, useRefreshImport } from "../../api/queries.ts";
import { Told } from "../../app/told.tsx";

/** What keeps the undo from going on, if a person must see to it. Asked for when it stands still: progress tells no cause. */
export const Held = ({ since }: { since: Date | null }) => {
  const { warnings } = useImport();
  const refresh = useRefreshImport();
  useEffect(() => {
    if (since) void refresh();
  }, [since, refresh]);
  const held = warnings.find(({ code, stream }) => code === "action_required" && stream === "undo");
  return held ? (
    <Notice tone="warn" className="mt-4">
      <p>
        <Told>{held.message}</Told>
      </p>
    </Notice>
  ) : null;
};

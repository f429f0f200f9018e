import { useEffect } from "react";
import { Notice } from "../../../ui/notice.tsx";
import { useImport, useRefreshImport } from "../../api/queries.ts";
import { ServerText } from "../../app/server-text.tsx";

/** The reason for a held undo that needs the customer. Reloads the import at a standstill: progress has no reason. */
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
        <ServerText>{held.message}</ServerText>
      </p>
    </Notice>
  ) : null;
};

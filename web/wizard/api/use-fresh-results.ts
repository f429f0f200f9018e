import { useQueryClient } from "@tanstack/react-query";
import { useLayoutEffect, useRef } from "react";
import { useImport } from "./queries.ts";
import { useClient } from "./use-client.tsx";

/** Results of runs: each new run makes cached answers stale, whatever their age. */
const results = /^\/(sample|warnings|report|later|undo-report)\b/;

/** Drops cached results of earlier runs as soon as the state of the import changes. */
export const useFreshResults = (): void => {
  const { importId } = useClient();
  const queryClient = useQueryClient();
  const { status, run } = useImport();
  const standing = `${status.code}|${run?.id}|${run?.state}`;
  const before = useRef(standing);
  useLayoutEffect(() => {
    if (before.current === standing) return;
    before.current = standing;
    const predicate = ({ queryKey: [of, path] }: { readonly queryKey: readonly unknown[] }) =>
      of === importId && typeof path === "string" && results.test(path);
    queryClient.removeQueries({ predicate, type: "inactive" });
    void queryClient.invalidateQueries({ predicate });
  }, [standing, importId, queryClient]);
};

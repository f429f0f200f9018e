import { useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { createClient } from "../api/client.ts";
import { ErrorBoundary } from "./error-boundary.tsx";
import { ImportGate } from "./import-gate.tsx";
import { usePlace } from "./navigation.tsx";
import { ProblemPage } from "./problem-page.tsx";

const ImportApp = ({ importId, place }: { importId: string; place: ReturnType<typeof usePlace> }) => {
  const queryClient = useQueryClient();
  const client = useMemo(
    () =>
      createClient({
        importId,
        fetch: window.fetch.bind(window),
        onExpired: () => void queryClient.invalidateQueries({ queryKey: [importId, ""], exact: true }),
      }),
    [importId, queryClient],
  );
  return <ImportGate client={client} screen={place.kind === "screen" ? place.screen : null} />;
};

export const App = () => {
  const place = usePlace();
  return (
    <ErrorBoundary>
      {place.kind === "nowhere" ? (
        <ProblemPage error={null} again={() => window.location.reload()} />
      ) : (
        <ImportApp importId={place.importId} place={place} />
      )}
    </ErrorBoundary>
  );
};

import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import type { Client } from "../api/client.ts";
import { ProblemError } from "../../client/problem.ts";
import { importQuery } from "../api/queries.ts";
import { ClientProvider } from "../api/use-client.tsx";
import { Opening } from "./opening.tsx";
import { ProblemPage } from "./problem-page.tsx";
import { ScreenHost } from "./screen-host.tsx";
import type { ScreenName } from "./screen-names.ts";

const ClosedPage = lazy(async () => ({ default: (await import("./closed-page.tsx")).ClosedPage }));

/** Errors that replace the page even when data is cached; a lost connection does not. */
const ends = (error: unknown) =>
  error instanceof ProblemError && (error.problem.kind === "expired" || error.problem.kind === "gone");

/** Renders the wizard once the session is valid and the import is loaded. */
export const ImportGate = ({ client, screen }: { client: Client; screen: ScreenName | null }) => {
  const { data, error, refetch } = useQuery(importQuery(client));
  if (error && (!data || ends(error)))
    return <ProblemPage error={error} again={() => void refetch()} partner={data?.partner} />;
  if (!data) return <Opening />;
  return (
    <ClientProvider client={client}>
      {data.closed ? (
        <Suspense fallback={<Opening />}>
          <ClosedPage />
        </Suspense>
      ) : (
        <ScreenHost asked={screen} />
      )}
    </ClientProvider>
  );
};

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ProblemError } from "../../client/problem.ts";
import { useClient } from "../api/use-client.tsx";
import { useHistory } from "./navigation.tsx";

/** Leaves only once the session has ended: otherwise the next person at this browser would still have it. */
export const useSignOut = () => {
  const client = useClient();
  const history = useHistory();
  const queryClient = useQueryClient();
  const [problem, setProblem] = useState<ProblemError | null>(null);
  const signOut = async () => {
    const outcome = await client.change<void>("/session", { method: "DELETE" });
    if (outcome.kind !== "ok" && outcome.kind !== "expired") {
      setProblem(new ProblemError(outcome));
      return;
    }
    queryClient.clear();
    history.go("/sign-in");
  };
  return { problem, signOut: () => void signOut() };
};

import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Skeleton } from "../../ui/skeleton.tsx";
import { ProblemNotice } from "./problem-notice.tsx";

interface AnsweredProps<T> {
  readonly query: UseQueryResult<T>;
  readonly lines?: number;
  readonly children: (value: T) => ReactNode;
}

/** The answer once it is there; before it a placeholder, and a problem in its place. What was read stays visible. */
export const Answered = <T,>({ query, lines = 4, children }: AnsweredProps<T>) => {
  const again = () => void query.refetch();
  if (query.data === undefined)
    return query.isError ? (
      <ProblemNotice error={query.error} again={again} />
    ) : (
      <Skeleton lines={lines} marks={false} />
    );
  return (
    <>
      {query.isError && <ProblemNotice error={query.error} again={again} />}
      {children(query.data)}
    </>
  );
};

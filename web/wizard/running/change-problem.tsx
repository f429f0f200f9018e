import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Notice } from "../../ui/notice.tsx";
import type { Problem } from "../../client/problem.ts";
import { ServerText } from "../app/server-text.tsx";

/** Why an action failed, shown right after the click. */
export const ChangeProblem = ({ problem }: { problem: Problem | null }) => {
  const { t } = useTranslation("running");
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (problem) place.current?.focus();
  }, [problem]);
  if (!problem) return null;
  const words = () => {
    switch (problem.kind) {
      case "refused":
        return <ServerText>{problem.message}</ServerText>;
      case "offline":
        return t("problem.offline");
      case "expired":
      case "gone":
        return t("problem.expired");
      case "forbidden":
      case "invalid":
      case "unexpected":
        return t("problem.unexpected");
    }
  };
  return (
    <Notice ref={place} tone="warn" alert className="mt-4">
      <p>{words()}</p>
    </Notice>
  );
};

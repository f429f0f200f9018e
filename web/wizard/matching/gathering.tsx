import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { useNames } from "./use-names.ts";

const briefMs = 300;
const slowMs = 10_000;

const useAfter = (ms: number): boolean => {
  const [due, setDue] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), ms);
    return () => clearTimeout(timer);
  }, [ms]);
  return due;
};

/** Shown while the server reads people and fields from both tools. */
export const Gathering = () => {
  const { t } = useTranslation("matching");
  const names = useNames();
  const due = useAfter(briefMs);
  const slow = useAfter(slowMs);
  if (!due) return null;
  return (
    <section className="card pad" aria-busy="true">
      <div role="status" className="mb-4">
        <p className="row font-semibold">
          <Spinner />
          {t("gathering.title", names)}
        </p>
        <p className="muted mt-2">{slow ? t("gathering.slow") : t("gathering.text", names)}</p>
      </div>
      <Skeleton lines={5} afterMs={0} />
    </section>
  );
};

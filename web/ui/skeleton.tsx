import { useEffect, useState } from "react";
import { classNames } from "./class-names.ts";
import "./styles/loading.css";
import { useUiStrings } from "./locale.tsx";

interface SkeletonProps {
  readonly lines?: number;
  /** Content that arrives sooner needs no skeleton. */
  readonly afterMs?: number;
  /** A square before each line, as in lists. */
  readonly marks?: boolean;
}

const widths = ["w-10/12", "w-7/12", "w-9/12", "w-6/12"];

/** A placeholder for content that loads; appears only after a short delay. */
export const Skeleton = ({ lines = 3, afterMs = 300, marks = true }: SkeletonProps) => {
  const words = useUiStrings();
  const [due, setDue] = useState(afterMs === 0);
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), afterMs);
    return () => clearTimeout(timer);
  }, [afterMs]);
  if (!due) return <div hidden aria-busy="true" />;
  return (
    <div className="stack-4" aria-busy="true">
      <p className="vh" role="status">
        {words.loading}
      </p>
      {Array.from({ length: lines }, (_, index) => (
        <div key={index} className="row gap-3.5">
          {marks && <span className="sk h-6 w-6 shrink-0" />}
          <span className={classNames("sk", widths[index % widths.length])} />
        </div>
      ))}
    </div>
  );
};

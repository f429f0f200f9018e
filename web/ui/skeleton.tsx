import { useEffect, useState } from "react";
import { classNames } from "./class-names.ts";
import "./styles/loading.css";
import { useWords } from "./words.tsx";

interface SkeletonProps {
  readonly lines?: number;
  /** What is there sooner needs none. */
  readonly afterMs?: number;
  /** A square in front of each line, as lists have. */
  readonly marks?: boolean;
}

const widths = ["w-10/12", "w-7/12", "w-9/12", "w-6/12"];

/** Where something will stand; appears only when it takes longer than a glance. */
export const Skeleton = ({ lines = 3, afterMs = 300, marks = true }: SkeletonProps) => {
  const words = useWords();
  const [due, setDue] = useState(afterMs === 0);
  useEffect(() => {
    const timer = setTimeout(() => setDue(true), afterMs);
    return () => clearTimeout(timer);
  }, [afterMs]);
  if (!due) return null;
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

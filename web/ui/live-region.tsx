import { useEffect, useRef, useState } from "react";
import { type Said, shouldSay } from "./calm.ts";

interface LiveRegionProps {
  /** The sentence for whoever listens: "46 percent moved, about 2 hours left." */
  readonly text: string;
  /** How far it is, between 0 and 1, or null: decides when the sentence is worth hearing again. */
  readonly share: number | null;
  /** "running", "paused": a change is said at once. */
  readonly state: string;
}

/** One hidden sentence that is read out now and then, not with every number that changes. */
export const LiveRegion = ({ text, share, state }: LiveRegionProps) => {
  const [said, setSaid] = useState(text);
  const last = useRef<Said>(null);
  useEffect(() => {
    const nowMs = performance.now();
    if (!shouldSay(last.current, { text, share, state }, nowMs)) return;
    last.current = { text, share, state, atMs: nowMs };
    setSaid(text);
  }, [text, share, state]);
  return (
    <p className="vh" role="status">
      {said}
    </p>
  );
};

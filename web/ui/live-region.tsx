import { useEffect, useRef, useState } from "react";
import { type Said, shouldSay } from "./calm.ts";

interface LiveRegionProps {
  /** The sentence for screen readers: "46 percent moved, about 2 hours left." */
  readonly text: string;
  /** Progress between 0 and 1, or null; decides when to announce the sentence again. */
  readonly share: number | null;
  /** "running", "paused": a change is announced immediately. */
  readonly state: string;
}

/** A visually hidden sentence that screen readers announce from time to time, not with every changed number. */
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

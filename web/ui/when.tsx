import { useEffect, useState } from "react";
import { useFormats } from "./use-formats.ts";

interface WhenProps {
  readonly at: string | Date;
  /** "3 minutes ago", kept true; the whole date on hovering. */
  readonly relative?: boolean;
}

const everyMs = 30_000;

/** A moment, in the reader's zone. */
export const When = ({ at, relative = false }: WhenProps) => {
  const formats = useFormats();
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    if (!relative) return undefined;
    const timer = setInterval(() => setNow(new Date()), everyMs);
    return () => clearInterval(timer);
  }, [relative]);
  const full = formats.dateTime(at);
  return (
    <time dateTime={new Date(at).toISOString()} title={relative ? full : undefined}>
      {relative ? formats.relative(at, now) : full}
    </time>
  );
};

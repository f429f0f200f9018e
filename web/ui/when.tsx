import { useEffect, useState } from "react";
import { useFormats } from "./use-formats.ts";

interface WhenProps {
  readonly at: string | Date;
  /** "3 minutes ago", kept up to date; the full date on hover. */
  readonly relative?: boolean;
}

const everyMs = 30_000;

/** A date and time in the reader's time zone. */
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

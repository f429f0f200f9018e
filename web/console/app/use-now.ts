import { useEffect, useState } from "react";

const everyMs = 30_000;

/** The time, for "3 minutes ago" and durations; moves on while the page is open. */
export const useNow = (): Date => {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), everyMs);
    return () => clearInterval(timer);
  }, []);
  return now;
};

import { classNames } from "./class-names.ts";
import "./styles/share-bar.css";
import type { Tone } from "./tone.ts";
import { useFormats } from "./use-formats.ts";

interface Share {
  readonly key: string;
  readonly label: string;
  readonly count: number;
  readonly tone: Tone;
}

/** One bar in parts, with their counts below; a part above zero is always visible. */
export const ShareBar = ({ shares }: { shares: readonly Share[] }) => {
  const formats = useFormats();
  return (
    <>
      <div className="shares" aria-hidden="true">
        {shares
          .filter(({ count }) => count > 0)
          .map(({ key, tone, count }) => (
            <i key={key} className={`is-${tone}`} style={{ flexGrow: count }} />
          ))}
      </div>
      <ul className="shares-of">
        {shares.map(({ key, tone, count, label }) => (
          <li key={key} className={classNames(`is-${tone}`, count === 0 && "zero")}>
            <b className="num">{formats.count(count)}</b> <span>{label}</span>
          </li>
        ))}
      </ul>
    </>
  );
};

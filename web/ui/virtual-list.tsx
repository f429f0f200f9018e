import { measureElement, useVirtualizer } from "@tanstack/react-virtual";
import { memo, type ReactNode, type RefObject, useCallback, useEffect, useRef } from "react";
import { classNames } from "./class-names.ts";
import { reveal } from "./reveal.ts";
import "./styles/virtual-list.css";

interface VirtualListProps<T> {
  readonly label: string;
  /** As many as are known; more may come. */
  readonly items: readonly T[];
  readonly keyOf: (item: T) => string;
  /** What stands in the row; the `<li>` is the list's own. */
  readonly render: (item: T) => ReactNode;
  /** Of the list, such as "pairs", and of a row. */
  readonly className?: string;
  readonly rowClassName?: (item: T) => string | undefined;
  /** Of all of them, where that is known: heard by whoever can't see the list. */
  readonly total?: number | undefined;
  /** About how high a row is, before it was measured. */
  readonly rowHeight: number;
  /** Called when the end comes near. */
  readonly onNearEnd?: () => void;
  /** The key of the row that somebody was led to: brought into sight once it is there. */
  readonly meant?: string | null | undefined;
}

const nearEnd = 10;
/** A list this short stands in the page as it is, without a window of its own to scroll in. */
const short = 20;

type Rows<T> = Omit<VirtualListProps<T>, "onNearEnd">;

/** Shows the row that is meant as soon as it is in the page; `bring` sees to it that it comes to be there. */
const useMeantRow = (
  list: RefObject<HTMLElement | null>,
  index: number,
  bring: (index: number) => void = () => {},
) => {
  const shown = useRef(false);
  useEffect(() => {
    if (shown.current || index < 0) return;
    const row = list.current?.querySelector(`[data-index="${index}"]`);
    if (!row) return bring(index);
    shown.current = true;
    reveal(row);
  });
};

const indexOfMeant = <T,>({ items, keyOf, meant }: Pick<Rows<T>, "items" | "keyOf" | "meant">) =>
  meant == null ? -1 : items.findIndex((item) => keyOf(item) === meant);

const ShortList = <T,>({ label, items, keyOf, render, className, rowClassName, meant }: Rows<T>) => {
  const list = useRef<HTMLUListElement>(null);
  useMeantRow(list, indexOfMeant({ items, keyOf, meant }));
  return (
    <ul ref={list} className={className} aria-label={label}>
      {items.map((item, index) => (
        <li
          key={keyOf(item)}
          className={classNames(rowClassName?.(item), keyOf(item) === meant && "meant")}
          data-index={index}
        >
          {render(item)}
        </li>
      ))}
    </ul>
  );
};

interface RowProps<T> extends Pick<VirtualListProps<T>, "render"> {
  readonly item: T;
  readonly index: number;
  readonly start: number;
  readonly total: number;
  readonly className: string;
  readonly measure: (row: HTMLLIElement | null) => void;
}

const OneRow = <T,>({ item, index, start, total, className, render, measure }: RowProps<T>) => (
  <li
    ref={measure}
    className={className}
    data-index={index}
    aria-posinset={index + 1}
    aria-setsize={total}
    style={{ transform: `translateY(${start}px)` }}
  >
    {render(item)}
  </li>
);

/** With each frame of scrolling a few rows come and go: those that stay are not drawn again. */
const Row = memo(OneRow) as typeof OneRow;

const LongList = <T,>({
  label,
  items,
  keyOf,
  render,
  className,
  rowClassName,
  total,
  rowHeight,
  onNearEnd,
  meant,
}: VirtualListProps<T>) => {
  const box = useRef<HTMLDivElement>(null);
  /** Of the first row that was measured: each that comes out other than expected costs a second look at all of them. */
  const usual = useRef<number>(null);
  // The same one as long as the items are: with another one the list would ask for the keys of all of them again.
  const keyAt = useCallback(
    (index: number) => {
      const item = items[index];
      return item === undefined ? index : keyOf(item);
    },
    [items, keyOf],
  );
  // oxlint-disable-next-line react/incompatible-library -- it speaks of the compiler, which is not used here
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => box.current,
    estimateSize: () => usual.current ?? rowHeight,
    measureElement: (row, entry, list) => {
      const height = measureElement(row, entry, list);
      usual.current ??= height;
      return height;
    },
    getItemKey: keyAt,
    overscan: 4,
  });
  useMeantRow(box, indexOfMeant({ items, keyOf, meant }), (index) =>
    rows.scrollToIndex(index, { align: "center" }),
  );
  const shown = rows.getVirtualItems();
  const last = shown.at(-1)?.index ?? -1;
  useEffect(() => {
    if (items.length > 0 && last >= items.length - nearEnd) onNearEnd?.();
  }, [last, items.length, onNearEnd]);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by keyboard
    <div ref={box} className="vlist" tabIndex={0} role="region" aria-label={label}>
      <ul className={className} style={{ height: `${rows.getTotalSize()}px` }}>
        {shown.map(({ key, index, start }) => {
          const item = items[index];
          return (
            item !== undefined && (
              <Row
                key={key}
                item={item}
                index={index}
                start={start}
                render={render}
                measure={rows.measureElement}
                className={classNames(rowClassName?.(item), key === meant && "meant")}
                total={total ?? items.length}
              />
            )
          );
        })}
      </ul>
    </div>
  );
};

/** A list of any length: only the rows in sight are in the page. Tab and arrow keys scroll it; each row knows its place. */
export const VirtualList = <T,>(props: VirtualListProps<T>) =>
  Math.max(props.items.length, props.total ?? 0) <= short ? (
    <ShortList {...props} />
  ) : (
    <LongList {...props} />
  );

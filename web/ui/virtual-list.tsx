import { measureElement, useVirtualizer } from "@tanstack/react-virtual";
import { memo, type ReactNode, type RefObject, useCallback, useEffect, useRef } from "react";
import { classNames } from "./class-names.ts";
import { reveal } from "./reveal.ts";
import "./styles/virtual-list.css";

interface VirtualListProps<T> {
  readonly label: string;
  /** The loaded items; more may follow. */
  readonly items: readonly T[];
  readonly keyOf: (item: T) => string;
  /** Renders the content of a row; the list renders the `<li>`. */
  readonly render: (item: T) => ReactNode;
  /** Classes of the list, such as "pairs", and of a row. */
  readonly className?: string;
  readonly rowClassName?: (item: T) => string | undefined;
  /** The number of all items, where known: screen readers announce it. */
  readonly total?: number | undefined;
  /** The estimated height of a row before it is measured. */
  readonly rowHeight: number;
  /** Called when the customer scrolls near the end. */
  readonly onNearEnd?: () => void;
  /** The key of the row that a link targets: scrolled into view once it is loaded. */
  readonly meant?: string | null | undefined;
}

const nearEnd = 10;
/** A list this short is rendered in full, without its own scroll container. */
const short = 20;

type Rows<T> = Omit<VirtualListProps<T>, "onNearEnd">;

/** Reveals the target row as soon as it is in the DOM; `bring` scrolls to it if it is not. */
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

/** Each scrolled frame adds and removes a few rows; memo keeps the others from rendering again. */
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
  /** The height of the first measured row: each row that differs from the estimate costs another measuring pass. */
  const usual = useRef<number>(null);
  // Stable while the items are: a new function would make the virtualizer compute all keys again.
  const keyAt = useCallback(
    (index: number) => {
      const item = items[index];
      return item === undefined ? index : keyOf(item);
    },
    [items, keyOf],
  );
  // oxlint-disable-next-line react/incompatible-library -- it concerns the React compiler, which is not used here
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
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable region must be focusable by keyboard
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

/** A list of any length that renders only visible rows. Tab and arrow keys scroll it; rows have `aria-posinset`. */
export const VirtualList = <T,>(props: VirtualListProps<T>) =>
  Math.max(props.items.length, props.total ?? 0) <= short ? (
    <ShortList {...props} />
  ) : (
    <LongList {...props} />
  );

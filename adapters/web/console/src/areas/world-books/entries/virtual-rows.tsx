import { useEffect, useImperativeHandle, useRef, useState } from "react";
import worldBooksCss from "../world-books.module.css";

export interface RowsHandle {
  /** Scrolls a row into view, as little as necessary. */
  show(index: number): void;
}

interface VirtualRowsProps<Row> {
  readonly rows: readonly Row[];
  /** Height of each row, in pixels. */
  readonly height: number;
  readonly label: string;
  readonly renderRow: (row: Row, index: number, top: number) => React.ReactNode;
  readonly onKeyDown: (event: React.KeyboardEvent) => void;
  /** Id of the row with keyboard focus. */
  readonly activeId: string | undefined;
  readonly handle: React.Ref<RowsHandle>;
}

const OVERSCAN = 6;

/** A virtualized list of rows with the same height. */
export function VirtualRows<Row>(props: VirtualRowsProps<Row>) {
  const { rows, height, label, renderRow, onKeyDown, activeId, handle } = props;
  const box = useRef<HTMLDivElement>(null);
  const [viewport, setViewport] = useState({ top: 0, height: 600 });
  const measure = () => {
    const { scrollTop = 0, clientHeight = 600 } = box.current ?? {};
    setViewport({ top: scrollTop, height: clientHeight });
  };
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(([entry]) =>
      setViewport({ top: element.scrollTop, height: entry?.contentRect.height ?? 600 }),
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useImperativeHandle(handle, () => ({
    show(index) {
      const element = box.current;
      if (!element) return;
      const top = index * height;
      if (top < element.scrollTop) element.scrollTop = top;
      else if (top + height > element.scrollTop + element.clientHeight) {
        element.scrollTop = top + height - element.clientHeight;
      }
    },
  }));
  const first = Math.max(0, Math.floor(viewport.top / height) - OVERSCAN);
  const last = Math.min(rows.length, Math.ceil((viewport.top + viewport.height) / height) + OVERSCAN);
  return (
    <div
      ref={box}
      className={worldBooksCss.wbList}
      role="listbox"
      aria-label={label}
      aria-activedescendant={activeId}
      tabIndex={0}
      onScroll={measure}
      onKeyDown={onKeyDown}
      data-testid="entry-list"
    >
      <div style={{ height: rows.length * height }}>
        {rows.slice(first, last).map((row, at) => renderRow(row, first + at, (first + at) * height))}
      </div>
    </div>
  );
}

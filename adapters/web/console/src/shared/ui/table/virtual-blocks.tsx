import { useEffect, useLayoutEffect, useRef, useState } from "react";

interface VirtualBlockProps {
  /** Estimated height in pixels, until rendered. */
  readonly estimate: number;
  /** Drawn wherever it is. */
  readonly isAlwaysRendered?: boolean;
  /** Called only while it is drawn. */
  readonly children: () => React.ReactNode;
}

/** Margin above and below the viewport that is rendered in advance. */
const VIEWPORT_MARGIN = "1200px 0px";

/** A part of a long list: drawn while it is near the screen, else only as high as it was. */
export function VirtualBlock({ estimate, isAlwaysRendered = false, children }: VirtualBlockProps) {
  const box = useRef<HTMLDivElement>(null);
  const height = useRef(estimate);
  const [isNear, setNear] = useState(false);
  const [hasFocus, setFocus] = useState(false);
  const isDrawn = isAlwaysRendered || isNear || hasFocus;
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const root = element.closest("[data-scrolls]");
    const watcher = new IntersectionObserver((seen) => setNear(seen.at(-1)?.isIntersecting === true), {
      root,
      rootMargin: VIEWPORT_MARGIN,
    });
    watcher.observe(element);
    return () => watcher.disconnect();
  }, []);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element || !isDrawn) return;
    const watcher = new ResizeObserver(() => {
      height.current = element.offsetHeight;
    });
    watcher.observe(element);
    return () => watcher.disconnect();
  }, [isDrawn]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only watches where the focus is
    <div
      ref={box}
      style={isDrawn ? undefined : { height: height.current }}
      // What is being written in it must not go because somebody scrolls.
      onFocus={() => setFocus(true)}
      onBlur={({ currentTarget, relatedTarget }) => setFocus(currentTarget.contains(relatedTarget))}
    >
      {isDrawn && children()}
    </div>
  );
}

interface VirtualBlockListProps<Row> {
  readonly rows: readonly Row[];
  readonly rowHeight: number;
  readonly renderRow: (row: Row) => React.ReactNode;
  /** The block of this row is always drawn. */
  readonly isAlwaysRendered?: ((row: Row) => boolean) | undefined;
}

const BLOCK_SIZE = 40;

/** A long list of rows that are about as high as each other. */
export function VirtualBlockList<Row>({ rows, rowHeight, renderRow, isAlwaysRendered }: VirtualBlockListProps<Row>) {
  const blocks = Array.from({ length: Math.ceil(rows.length / BLOCK_SIZE) }, (_, at) =>
    rows.slice(at * BLOCK_SIZE, (at + 1) * BLOCK_SIZE),
  );
  return blocks.map((some, at) => (
    <VirtualBlock
      key={at}
      estimate={some.length * rowHeight}
      isAlwaysRendered={at === 0 || (isAlwaysRendered && some.some(isAlwaysRendered)) === true}
    >
      {() => some.map(renderRow)}
    </VirtualBlock>
  ));
}

import { useEffect, useLayoutEffect, useRef, useState } from "react";

interface VirtualBlockProps {
  /** Estimated height in pixels, until rendered. */
  readonly estimate: number;
  /** True to render it off screen, too. */
  readonly isAlwaysRendered?: boolean;
  /** Called only while it is rendered. */
  readonly children: () => React.ReactNode;
}

/** Margin above and below the viewport that is rendered in advance. */
const VIEWPORT_MARGIN = "1200px 0px";

/** A part of a long list, rendered only near the viewport; elsewhere a gap of the same height. */
export function VirtualBlock({ estimate, isAlwaysRendered = false, children }: VirtualBlockProps) {
  const box = useRef<HTMLDivElement>(null);
  const height = useRef(estimate);
  const [isNear, setNear] = useState(false);
  const [hasFocus, setFocus] = useState(false);
  const isRendered = isAlwaysRendered || isNear || hasFocus;
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
    if (!element || !isRendered) return;
    const watcher = new ResizeObserver(() => {
      height.current = element.offsetHeight;
    });
    watcher.observe(element);
    return () => watcher.disconnect();
  }, [isRendered]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only tracks the focus
    <div
      ref={box}
      style={isRendered ? undefined : { height: height.current }}
      // Scrolling must not remove a field that is being typed in.
      onFocus={() => setFocus(true)}
      onBlur={({ currentTarget, relatedTarget }) => setFocus(currentTarget.contains(relatedTarget))}
    >
      {isRendered && children()}
    </div>
  );
}

interface VirtualBlockListProps<Row> {
  readonly rows: readonly Row[];
  readonly rowHeight: number;
  readonly renderRow: (row: Row) => React.ReactNode;
  readonly isAlwaysRendered?: ((row: Row) => boolean) | undefined;
}

const BLOCK_SIZE = 40;

/** A long list of rows of similar height. */
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

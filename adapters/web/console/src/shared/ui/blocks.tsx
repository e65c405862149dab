import { useEffect, useLayoutEffect, useRef, useState } from "react";

interface BlockProps {
  /** What it will be as high as, in pixels, until it was drawn. */
  readonly estimate: number;
  /** Drawn wherever it is. */
  readonly isKept?: boolean;
  /** Called only while it is drawn. */
  readonly children: () => React.ReactNode;
}

/** So much above and below the screen is drawn before it is seen. */
const MARGIN = "1200px 0px";

/** A part of a long list: drawn while it is near the screen, else only as high as it was. */
export function Block({ estimate, isKept = false, children }: BlockProps) {
  const box = useRef<HTMLDivElement>(null);
  const height = useRef(estimate);
  const [isNear, setNear] = useState(false);
  const [hasFocus, setFocus] = useState(false);
  const isDrawn = isKept || isNear || hasFocus;
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const root = element.closest("[data-scrolls]");
    const watcher = new IntersectionObserver((seen) => setNear(seen.at(-1)?.isIntersecting === true), {
      root,
      rootMargin: MARGIN,
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

interface BlockRowsProps<Row> {
  readonly rows: readonly Row[];
  readonly rowHeight: number;
  readonly draw: (row: Row) => React.ReactNode;
  /** The block of this row is always drawn. */
  readonly keeps?: ((row: Row) => boolean) | undefined;
}

const EACH = 40;

/** A long list of rows that are about as high as each other. */
export function BlockRows<Row>({ rows, rowHeight, draw, keeps }: BlockRowsProps<Row>) {
  const blocks = Array.from({ length: Math.ceil(rows.length / EACH) }, (_, at) =>
    rows.slice(at * EACH, (at + 1) * EACH),
  );
  return blocks.map((some, at) => (
    <Block key={at} estimate={some.length * rowHeight} isKept={at === 0 || (keeps && some.some(keeps)) === true}>
      {() => some.map(draw)}
    </Block>
  ));
}

import { useEffect } from "react";

const WINDOW = "[role=dialog], [role=menu]";
/** What had the focus last on the page and in each window or menu over it, the latest last. */
const trail: WeakRef<HTMLElement>[] = [];
const MOST = 20;

document.addEventListener("focusin", ({ target }) => {
  if (!(target instanceof HTMLElement)) return;
  const before = trail.at(-1)?.deref();
  if (before?.closest(WINDOW) === target.closest(WINDOW)) trail.pop();
  trail.push(new WeakRef(target));
  if (trail.length > MOST) trail.shift();
});

/** In a window: when that goes, the focus is where it was before, also if what opened the window (a line of a menu) went, too. */
export function FocusBack() {
  useEffect(() => () => void setTimeout(focusLast), []);
  return null;
}

/** After what had the focus went: it is where it was before, never on nothing. */
export function focusLast(): void {
  if (document.activeElement !== document.body) return;
  const last = trail.map((one) => one.deref()).findLast((one) => one !== undefined && isThere(one));
  (last ?? document.getElementById("main"))?.focus({ preventScroll: true });
}

function isThere(element: HTMLElement): boolean {
  return element.isConnected && element.checkVisibility({ visibilityProperty: true }) && !element.matches(":disabled");
}

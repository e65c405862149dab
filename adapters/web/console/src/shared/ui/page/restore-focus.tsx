import { useEffect } from "react";

const OVERLAY_SELECTOR = "[role=dialog], [role=menu]";
/** Recently focused elements of the page, dialogs and menus, newest last. */
const focusHistory: WeakRef<HTMLElement>[] = [];
const MAX_HISTORY = 20;

document.addEventListener("focusin", ({ target }) => {
  if (!(target instanceof HTMLElement)) return;
  const before = focusHistory.at(-1)?.deref();
  if (before?.closest(OVERLAY_SELECTOR) === target.closest(OVERLAY_SELECTOR)) focusHistory.pop();
  focusHistory.push(new WeakRef(target));
  if (focusHistory.length > MAX_HISTORY) focusHistory.shift();
});

/** In a window: when that goes, the focus is where it was before, also if what opened the window (a line of a menu) went, too. */
export function RestoreFocus() {
  useEffect(() => () => void setTimeout(restoreFocus), []);
  return null;
}

/** After what had the focus went: it is where it was before, never on nothing. */
export function restoreFocus(): void {
  if (document.activeElement !== document.body) return;
  const last = focusHistory.map((one) => one.deref()).findLast((one) => one !== undefined && isFocusable(one));
  (last ?? document.getElementById("main"))?.focus({ preventScroll: true });
}

function isFocusable(element: HTMLElement): boolean {
  return element.isConnected && element.checkVisibility({ visibilityProperty: true }) && !element.matches(":disabled");
}

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

let pressedWatch: MutationObserver | undefined;

// Browsers drop the focus of elements that are removed or disabled, such as a button while its work runs.
document.addEventListener(
  "click",
  ({ target }) => {
    const pressed = document.activeElement;
    pressedWatch?.disconnect();
    if (!(pressed instanceof HTMLElement && target instanceof Node && pressed.contains(target))) return;
    if (pressed !== document.body) pressedWatch = keepFocusOn(pressed);
  },
  true,
);

/** Refocuses a pressed element once it is enabled, or the one focused before once it is removed, unless the focus is elsewhere. */
function keepFocusOn(pressed: HTMLElement): MutationObserver {
  const watch = new MutationObserver(() => {
    const { activeElement } = document;
    if (activeElement === pressed) return;
    if (activeElement !== document.body) return watch.disconnect();
    if (isFocusable(pressed)) return pressed.focus({ preventScroll: true });
    if (pressed.isConnected) return;
    watch.disconnect();
    setTimeout(restoreFocus);
  });
  watch.observe(document.body, { subtree: true, childList: true, attributeFilter: ["disabled"] });
  return watch;
}

/** Restores the focus when a dialog closes, also where its opener (such as a menu item) is gone. */
export function RestoreFocus() {
  useEffect(() => () => void setTimeout(restoreFocus), []);
  return null;
}

/** Restores the last focus after the focused element was removed, so that it is never lost. */
export function restoreFocus(): void {
  if (document.activeElement !== document.body) return;
  const last = focusHistory.map((one) => one.deref()).findLast((one) => one !== undefined && isFocusable(one));
  (last ?? document.getElementById("main"))?.focus({ preventScroll: true });
}

function isFocusable(element: HTMLElement): boolean {
  return element.isConnected && element.checkVisibility({ visibilityProperty: true }) && !element.matches(":disabled");
}

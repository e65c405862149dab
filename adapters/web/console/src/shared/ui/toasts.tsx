import { CloseButton, UnstyledButton } from "@mantine/core";
import { useEffect, useSyncExternalStore } from "react";
import { useTexts } from "../i18n/i18n.ts";
import toastsCss from "./toasts.module.css";

interface ToastText {
  readonly text: string;
  readonly isBad?: boolean;
  /** What the button beside it does; the toast goes when it is pressed. */
  readonly undo?: () => void;
  /** Somebody closed it, and so will not undo. */
  readonly closed?: () => void;
}

interface Toast extends ToastText {
  readonly id: number;
}

const SHOWN_MS = 5_000;
/** Who may want it back needs time to read. */
export const UNDO_MS = 10_000;
const MOST = 4;

let toasts: readonly Toast[] = [];
let next = 0;
const listeners = new Set<() => void>();

/** Says in passing what was done, and how to take it back. */
export function toast(said: ToastText): void {
  next += 1;
  put([...toasts, { id: next, ...said }].slice(-MOST));
}

function put(now: readonly Toast[]): void {
  toasts = now;
  for (const listener of listeners) listener();
}

function drop(id: number): void {
  put(toasts.filter((one) => one.id !== id));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Where they appear. */
export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts);
  return (
    <div className={toastsCss.toasts} role="status" aria-live="polite">
      {shown.map((one) => (
        <Shown key={one.id} toast={one} />
      ))}
    </div>
  );
}

function Shown({ toast: { id, text, isBad = false, undo, closed } }: { readonly toast: Toast }) {
  const { t } = useTexts();
  useEffect(() => {
    const timer = setTimeout(() => drop(id), undo ? UNDO_MS : SHOWN_MS);
    return () => clearTimeout(timer);
  }, [id, undo]);
  const takeBack = () => {
    drop(id);
    undo?.();
  };
  const close = () => {
    drop(id);
    closed?.();
  };
  return (
    <div className={toastsCss.toast} data-bad={isBad} data-testid="toast">
      <span>{text}</span>
      {undo && (
        <UnstyledButton className={toastsCss.toastUndo} onClick={takeBack}>
          {t("undo")}
        </UnstyledButton>
      )}
      <CloseButton size="sm" aria-label={t("close")} onClick={close} />
    </div>
  );
}

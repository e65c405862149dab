import { CloseButton, UnstyledButton } from "@mantine/core";
import { useEffect, useSyncExternalStore } from "react";
import { useTexts } from "../../i18n/i18n.ts";
import toastsCss from "./toasts.module.css";

interface ToastOptions {
  readonly text: string;
  readonly isBad?: boolean;
  /** Action of the undo button; the toast closes when it is pressed. */
  readonly undo?: () => void;
  /** Called when the user closes the toast; not when its time has passed. */
  readonly onClosed?: () => void;
}

interface Toast extends ToastOptions {
  readonly id: number;
}

const TOAST_MS = 5_000;
/** Duration of toasts with undo, in milliseconds. */
export const UNDO_MS = 10_000;
const MAX_TOASTS = 4;

let toasts: readonly Toast[] = [];
let nextId = 0;
const listeners = new Set<() => void>();

export function showToast(options: ToastOptions): void {
  nextId += 1;
  setToasts([...toasts, { id: nextId, ...options }].slice(-MAX_TOASTS));
}

function setToasts(now: readonly Toast[]): void {
  toasts = now;
  for (const listener of listeners) listener();
}

function removeToast(id: number): void {
  setToasts(toasts.filter((one) => one.id !== id));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts);
  return (
    <div className={toastsCss.toasts} role="status" aria-live="polite">
      {shown.map((one) => (
        <ToastItem key={one.id} toast={one} />
      ))}
    </div>
  );
}

function ToastItem({ toast: { id, text, isBad = false, undo, onClosed } }: { readonly toast: Toast }) {
  const { t } = useTexts();
  useEffect(() => {
    const timer = setTimeout(() => removeToast(id), undo ? UNDO_MS : TOAST_MS);
    return () => clearTimeout(timer);
  }, [id, undo]);
  const undoAction = () => {
    removeToast(id);
    undo?.();
  };
  const close = () => {
    removeToast(id);
    onClosed?.();
  };
  return (
    <div className={toastsCss.toast} data-bad={isBad} data-testid="toast">
      <span>{text}</span>
      {undo && (
        <UnstyledButton className={toastsCss.toastUndo} onClick={undoAction}>
          {t("undo")}
        </UnstyledButton>
      )}
      <CloseButton size="sm" aria-label={t("close")} onClick={close} />
    </div>
  );
}

import { useLayoutEffect, useRef } from "react";
import signInCss from "./sign-in.module.css";
import { SignIn } from "./sign-in.tsx";

interface ReauthenticationProps {
  /** The user whose login expired. */
  readonly username: string;
  readonly onSignedIn: (username: string) => void;
}

/** A modal sign-in over the page and its dialogs, which blocks their keys and clicks. */
export function Reauthentication({ username, onSignedIn }: ReauthenticationProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    dialog.current?.showModal();
    // Keeps Escape from closing a dialog underneath.
    for (const one of dialog.current?.querySelectorAll("input, button, select") ?? [])
      one.setAttribute("data-mantine-stop-propagation", "true");
    dialog.current?.querySelector<HTMLInputElement>("[name=password]")?.focus();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={signInCss.signInAgain}
      // Browsers close it at the second Escape although the event is cancelled, so it is reopened.
      onCancel={(event) => event.preventDefault()}
      onClose={() => dialog.current?.showModal()}
    >
      <SignIn username={username} onSignedIn={onSignedIn} isExpired />
    </dialog>
  );
}

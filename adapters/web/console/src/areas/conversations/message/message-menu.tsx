import { Menu } from "@mantine/core";
import { useLayoutEffect, useRef, useState } from "react";
import { Icon, type IconName } from "../../../shared/ui/element/icon.tsx";
import { useTexts } from "../texts.ts";
import messageCss from "./message.module.css";

interface MessageMenuProps {
  readonly actions: () => readonly MessageAction[];
}

/** The menu of rare actions. With thousands of messages on a page, each menu is mounted when first opened. */
export function MessageMenu({ actions }: MessageMenuProps) {
  const { t } = useTexts();
  const [isMade, setMade] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const [isIdle, setIdle] = useState(true);
  const target = useRef<HTMLButtonElement>(null);
  // The button was made anew with its menu: it has the focus, which comes back to it.
  useLayoutEffect(() => {
    if (!isMade) return;
    target.current?.focus();
    setOpen(true);
  }, [isMade]);
  const button = (
    <button
      ref={target}
      type="button"
      className={messageCss.act}
      aria-label={t("messageMenu")}
      title={t("messageMenu")}
      aria-haspopup="menu"
      data-testid="message-menu"
      onClick={({ currentTarget }) => {
        // As the list says it to what stands in it.
        setIdle(currentTarget.closest('[data-idle="false"]') === null);
        setMade(true);
      }}
    >
      <Icon name="more" size={15} />
    </button>
  );
  if (!isMade) return button;
  return (
    <Menu opened={isOpen} onChange={setOpen} position="bottom-start">
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown data-testid="message-deeds">
        {(isOpen ? actions() : []).map(
          ({ icon, label, testId, isIdleOnly = false, isPressed, run }) =>
            (isIdle || !isIdleOnly) && (
              <Menu.Item
                key={testId}
                leftSection={<Icon name={icon} size={16} filled={isPressed === true} />}
                onClick={run}
                data-testid={testId}
              >
                {label}
              </Menu.Item>
            ),
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
/** One thing that can be done with a message. */

export interface MessageAction {
  readonly icon: IconName;
  readonly label: string;
  readonly testId: string;
  readonly isIdleOnly?: boolean;
  /** State of a toggle; undefined for other buttons. */
  readonly isPressed?: boolean;
  readonly run: () => void;
}

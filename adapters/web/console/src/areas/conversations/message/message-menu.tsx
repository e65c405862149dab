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
  const [isMounted, setMounted] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const [isIdle, setIdle] = useState(true);
  const target = useRef<HTMLButtonElement>(null);
  // Mounting the menu replaces the button: the new one gets the focus, so that closing the menu returns to it.
  useLayoutEffect(() => {
    if (!isMounted) return;
    target.current?.focus();
    setOpen(true);
  }, [isMounted]);
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
        // The list marks itself busy while a turn runs.
        setIdle(currentTarget.closest('[data-idle="false"]') === null);
        setMounted(true);
      }}
    >
      <Icon name="more" size={15} />
    </button>
  );
  if (!isMounted) return button;
  return (
    <Menu opened={isOpen} onChange={setOpen} position="bottom-start">
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown data-testid="message-menu-items">
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

/** A button or menu item of a message. */
export interface MessageAction {
  readonly icon: IconName;
  readonly label: string;
  readonly testId: string;
  readonly isIdleOnly?: boolean;
  /** State of a toggle; undefined for other buttons. */
  readonly isPressed?: boolean;
  readonly run: () => void;
}

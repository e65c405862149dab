import { ActionIcon, Menu, Text } from "@mantine/core";
import { useState } from "react";
import { useTexts } from "../../i18n/i18n.ts";
import { ConfirmDialog } from "../feedback/confirm.tsx";
import { useCanChange } from "../page/permissions.tsx";
import { Icon, type IconName } from "./icon.tsx";

export interface CardAction {
  readonly label: string;
  readonly icon: IconName;
  readonly testId?: string;
  /** The reason why the action is unavailable, shown below its name. */
  readonly obstacle?: string | undefined;
  /** Text of the confirmation for an action that cannot be undone. */
  readonly confirm?: string;
  readonly run: () => unknown;
}

interface CardMenuProps {
  readonly cardName: string;
  readonly actions: readonly CardAction[];
}

/** The menu of a card, with all secondary actions. */
export function CardMenu({ cardName, actions }: CardMenuProps) {
  const { t } = useTexts();
  const canChange = useCanChange();
  const [confirmingAction, setConfirmingAction] = useState<CardAction>();
  if (!canChange || actions.length === 0) return null;
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={`${t("more")}: ${cardName}`} data-testid="card-menu">
            <Icon name="more" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {actions.map((action) => (
            <Menu.Item
              key={action.label}
              leftSection={<Icon name={action.icon} size={16} />}
              // It stays focusable, so that the reason can be read.
              {...(action.obstacle !== undefined && {
                "aria-disabled": true,
                "data-disabled": true,
                closeMenuOnClick: false,
              })}
              {...(action.confirm !== undefined && { color: "var(--mantine-color-error)" })}
              onClick={() => {
                if (action.obstacle !== undefined) return;
                if (action.confirm === undefined) action.run();
                else setConfirmingAction(action);
              }}
              data-testid={action.testId}
            >
              {action.label}
              {action.obstacle !== undefined && (
                <Text span display="block" size="xs" maw="15rem">
                  {action.obstacle}
                </Text>
              )}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <ConfirmDialog
        isOpen={confirmingAction !== undefined}
        close={() => setConfirmingAction(undefined)}
        label={confirmingAction?.label ?? ""}
        what={cardName}
        text={confirmingAction?.confirm}
        run={async () => confirmingAction?.run()}
      />
    </>
  );
}

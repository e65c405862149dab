import { ActionIcon, Menu, Text } from "@mantine/core";
import { useState } from "react";
import { useTexts } from "../../i18n/i18n.ts";
import { ConfirmDialog } from "../feedback/confirm.tsx";
import { useCanChange } from "../page/permissions.tsx";
import { Icon, type IconName } from "./icon.tsx";

/** Something that can be done with what a card shows. */
export interface CardAction {
  readonly label: string;
  readonly icon: IconName;
  readonly testId?: string;
  /** Why it cannot be done now; stands below its name. */
  readonly obstacle?: string | undefined;
  /** What is said before it is done, because it cannot be undone. */
  readonly confirm?: string;
  readonly run: () => unknown;
}

interface CardMenuProps {
  /** Whose menu it is. */
  readonly of: string;
  readonly actions: readonly CardAction[];
}

/** Everything besides the one thing that a card is there for. */
export function CardMenu({ of, actions }: CardMenuProps) {
  const { t } = useTexts();
  const mayChange = useCanChange();
  const [confirmingAction, setConfirmingAction] = useState<CardAction>();
  if (!mayChange || actions.length === 0) return null;
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={`${t("more")}: ${of}`} data-testid="card-menu">
            <Icon name="more" />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {actions.map((action) => (
            <Menu.Item
              key={action.label}
              leftSection={<Icon name={action.icon} size={16} />}
              // It can be come to: why it cannot be done stands in it.
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
        what={of}
        text={confirmingAction?.confirm}
        run={async () => confirmingAction?.run()}
      />
    </>
  );
}

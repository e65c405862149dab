import { Button, Text } from "@mantine/core";
import { Icon, type IconName } from "./icon.tsx";

interface EmptyProps {
  readonly icon: IconName;
  readonly title: string;
  /** What this is for. */
  readonly hint?: string;
  readonly action?: { readonly label: string; readonly run: () => void };
}

/** Where there is nothing yet: what it would be, and how to begin. */
export function Empty({ icon, title, hint, action }: EmptyProps) {
  return (
    <div className="empty" data-testid="empty">
      <span className="empty-icon">
        <Icon name={icon} size={28} />
      </span>
      <Text fw={600}>{title}</Text>
      {hint && (
        <Text size="sm" c="dimmed" maw="32rem">
          {hint}
        </Text>
      )}
      {action && (
        <Button mt="sm" leftSection={<Icon name="plus" size={16} />} onClick={action.run}>
          {action.label}
        </Button>
      )}
    </div>
  );
}

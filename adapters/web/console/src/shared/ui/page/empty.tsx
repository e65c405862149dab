import { Button, Text } from "@mantine/core";
import { Icon, type IconName } from "../element/icon.tsx";
import emptyCss from "./empty.module.css";
import { RequireChangeScope } from "./permissions.tsx";

interface EmptyProps {
  readonly icon: IconName;
  readonly title: string;
  /** Explains what belongs here. */
  readonly hint?: string;
  /** True within a part of a page. */
  readonly isSmall?: boolean;
  /** True when the page has no other content. */
  readonly isHeading?: boolean;
  readonly children?: React.ReactNode;
  readonly action?: { readonly label: string; readonly run: () => void };
}

/** The empty state of a list: what belongs here, and how to begin. */
export function Empty({ icon, title, hint, isSmall = false, isHeading = false, action, children }: EmptyProps) {
  return (
    <div className={emptyCss.empty} data-small={isSmall} data-testid="empty">
      <span className={emptyCss.emptyIcon}>
        <Icon name={icon} size={isSmall ? 22 : 30} />
      </span>
      <Text component={isHeading ? "h1" : "p"} m={0} fw={650} size={isSmall ? "sm" : "lg"}>
        {title}
      </Text>
      {hint && (
        <Text size="sm" c="dimmed" maw="32rem">
          {hint}
        </Text>
      )}
      {action && (
        <RequireChangeScope>
          <Button mt="sm" leftSection={<Icon name="plus" size={16} />} onClick={action.run}>
            {action.label}
          </Button>
        </RequireChangeScope>
      )}
      {children}
    </div>
  );
}

import { ActionIcon, Tooltip } from "@mantine/core";
import { Icon, type IconName } from "./icon.tsx";

interface IconButtonProps {
  readonly icon: IconName;
  /** What it does: shown on hover and read aloud. */
  readonly label: string;
  readonly onClick: () => void;
  readonly testId?: string;
  readonly color?: string;
  readonly isFilled?: boolean;
  readonly isPressed?: boolean;
  readonly isDisabled?: boolean;
  readonly size?: "sm" | "md" | "lg";
}

export function IconButton({ icon, label, onClick, testId, color = "gray", size = "md", ...state }: IconButtonProps) {
  return (
    <Tooltip label={label} openDelay={400} events={{ hover: true, focus: true, touch: false }}>
      <ActionIcon
        variant="subtle"
        color={color}
        size={size}
        aria-label={label}
        aria-pressed={state.isPressed}
        disabled={state.isDisabled ?? false}
        data-testid={testId}
        onClick={onClick}
      >
        <Icon name={icon} size={size === "sm" ? 15 : 18} filled={state.isFilled ?? false} />
      </ActionIcon>
    </Tooltip>
  );
}

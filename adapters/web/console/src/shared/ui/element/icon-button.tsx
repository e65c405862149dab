import { ActionIcon, Tooltip } from "@mantine/core";
import { Icon, type IconName } from "./icon.tsx";

/** Props that a popover sets on the button that opens it. */
type PopoverTargetProps = Pick<
  React.ComponentProps<"button">,
  "ref" | "id" | "aria-haspopup" | "aria-expanded" | "aria-controls"
>;

interface IconButtonProps extends PopoverTargetProps {
  readonly icon: IconName;
  /** Label: shown on hover and read aloud. */
  readonly label: string;
  readonly onClick: () => void;
  readonly testId?: string;
  readonly color?: string;
  readonly isFilled?: boolean;
  readonly isPressed?: boolean;
  readonly isDisabled?: boolean;
  readonly size?: "sm" | "md" | "lg";
}

export function IconButton(props: IconButtonProps) {
  const { icon, label, onClick, testId, color = "gray", size = "md", isFilled, isPressed, isDisabled, ...own } = props;
  return (
    <Tooltip
      label={label}
      openDelay={400}
      events={{ hover: true, focus: true, touch: false }}
      portalProps={{ target: "#menus" }}
      // The opened popover has the same label.
      disabled={own["aria-expanded"] === true}
    >
      <ActionIcon
        {...own}
        variant="subtle"
        color={color}
        size={size}
        aria-label={label}
        aria-pressed={isPressed}
        disabled={isDisabled ?? false}
        data-testid={testId}
        onClick={onClick}
      >
        <Icon name={icon} size={size === "sm" ? 15 : 18} filled={isFilled ?? false} />
      </ActionIcon>
    </Tooltip>
  );
}

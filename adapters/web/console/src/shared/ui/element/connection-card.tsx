import { Badge, Card, Group, Switch, Text } from "@mantine/core";

interface ConnectionCardProps {
  /** Prefix of the test ids: `<kind>-card`, `<kind>-state`, `<kind>-switch`. */
  readonly kind: "channel" | "server";
  readonly id: string;
  readonly name: string;
  readonly mark: React.ReactNode;
  readonly state: { readonly text: string; readonly color: string; readonly isBad: boolean };
  readonly badges?: React.ReactNode;
  /** Details below the name: type and address. */
  readonly facts: React.ReactNode;
  readonly description: string;
  readonly enabled: { readonly label: string; readonly isOn: boolean; readonly isBusy: boolean; onToggle(): void };
  readonly buttons: React.ReactNode;
  readonly children: React.ReactNode;
}

/** A card of a channel or an MCP server: name, state, switch and actions. */
export function ConnectionCard(props: ConnectionCardProps) {
  const { kind, id, name, mark, state, badges, facts, description, enabled, buttons, children } = props;
  return (
    <Card withBorder padding="md" data-testid={`${kind}-card`} {...{ [`data-${kind}`]: id }}>
      <Group justify="space-between" gap="sm">
        {mark}
        <div style={{ minWidth: 0, flex: "1 1 16rem" }}>
          <Group gap="xs">
            <Text fw={650} size="md" style={{ overflowWrap: "anywhere" }}>
              {name}
            </Text>
            <Badge color={state.color} variant={state.isBad ? "filled" : "light"} data-testid={`${kind}-state`}>
              {state.text}
            </Badge>
            {badges}
          </Group>
          {facts}
          {description && (
            <Text size="sm" lineClamp={3} style={{ overflowWrap: "anywhere" }}>
              {description}
            </Text>
          )}
        </div>
        <Group gap={4}>
          <Switch
            size="sm"
            mr="xs"
            checked={enabled.isOn}
            disabled={enabled.isBusy}
            onChange={enabled.onToggle}
            aria-label={`${enabled.label}: ${name}`}
            data-testid={`${kind}-switch`}
          />
          {buttons}
        </Group>
      </Group>
      {children}
    </Card>
  );
}

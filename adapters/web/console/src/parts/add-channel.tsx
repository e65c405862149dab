import { Button, Card, Group, Stack, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Channel, channels } from "../api/channels.ts";
import { useTexts } from "../i18n.ts";
import { Failure, Loaded, useTried } from "./common.tsx";

const CHANGED = [["channel"]] as const;

/** Presets by one click, or any other type by its name; then the new channel's settings. */
export function AddChannel({ done }: { readonly done: (id?: string) => void }) {
  const { t } = useTexts();
  const presets = useQuery({ queryKey: ["channel", "preset"], queryFn: channels.presets });
  const [name, setName] = useState("");
  const [type, setType] = useState("");
  const { tried, isBusy, error } = useTried(CHANGED);
  const make = (create: () => Promise<Channel>) =>
    tried(async () => {
      done((await create()).id);
    });
  const other = (event: React.FormEvent) => {
    event.preventDefault();
    void make(() => channels.create({ name, type: type || "custom" }))();
  };
  return (
    <Stack gap="sm">
      <TextInput
        label={t("name")}
        description={t("channelNameHint")}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        maxLength={100}
        data-testid="channel-name"
      />
      <Failure error={error} />
      <Loaded query={presets}>
        {({ items }) => (
          <>
            {items.map((preset) => (
              <Card key={preset.id} withBorder padding="xs">
                <Group justify="space-between" wrap="nowrap">
                  <div>
                    <Text fw={600}>{preset.name}</Text>
                    <Text size="sm" c="dimmed">
                      {preset.installed ? preset.description : t("notInstalled")}
                    </Text>
                  </div>
                  <Button
                    size="compact-md"
                    variant="light"
                    loading={isBusy}
                    disabled={!preset.installed}
                    onClick={make(() => channels.fromPreset(preset.id, name ? { name } : {}))}
                    data-testid={`preset-${preset.id}`}
                  >
                    {t("add")}
                  </Button>
                </Group>
              </Card>
            ))}
          </>
        )}
      </Loaded>
      <form onSubmit={other}>
        <Group align="flex-end" gap="xs">
          <TextInput
            label={t("otherType")}
            value={type}
            onChange={({ currentTarget }) => setType(currentTarget.value)}
            maxLength={32}
            pattern="[A-Za-z0-9_\-]+"
            required
            style={{ flex: 1 }}
          />
          <Button type="submit" variant="default" loading={isBusy} disabled={name.trim() === ""}>
            {t("add")}
          </Button>
        </Group>
      </form>
    </Stack>
  );
}

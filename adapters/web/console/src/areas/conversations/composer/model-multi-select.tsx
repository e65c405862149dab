import { Checkbox, Popover, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { toggle } from "../../../shared/toggle.ts";
import { IconButton } from "../../../shared/ui/element/icon-button.tsx";
import messageCss from "../message/message.module.css";
import { allModelsQuery, filterChatModels } from "../models.ts";
import { useTexts } from "../texts.ts";

const MAX_MODELS = 4;

interface ModelMultiSelectProps {
  readonly selected: readonly string[];
  readonly onSelect: (ids: readonly string[]) => void;
}

/** Selects the models that answer side by side; with fewer than two, the model of the conversation answers. */
export function ModelMultiSelect({ selected, onSelect }: ModelMultiSelectProps) {
  const { t } = useTexts();
  const [isOpen, setOpen] = useState(false);
  const { data } = useQuery(allModelsQuery);
  const chatModels = filterChatModels(data?.items ?? []);
  if (chatModels.length < 2) return null;
  return (
    <Popover
      position="top-start"
      offset={16}
      portalProps={{ target: "#menus" }}
      opened={isOpen}
      onChange={setOpen}
      trapFocus
      returnFocus
    >
      <span className={messageCss.askSeveral}>
        <Popover.Target>
          <IconButton
            icon="model"
            size="lg"
            label={t("askSeveral")}
            onClick={() => setOpen(!isOpen)}
            testId="ask-several"
          />
        </Popover.Target>
        {selected.length > 1 && (
          <Text span size="xs" data-testid="asked-count">
            {t("askedCount", { count: selected.length })}
          </Text>
        )}
      </span>
      <Popover.Dropdown>
        <Stack gap="xs" mah="40vh" style={{ overflowY: "auto" }}>
          <Text size="sm" c="dimmed" maw={280}>
            {t("askSeveralHint")}
          </Text>
          {chatModels.map(({ id, name }) => (
            <Checkbox
              key={id}
              label={name}
              checked={selected.includes(id)}
              disabled={selected.length >= MAX_MODELS && !selected.includes(id)}
              onChange={() => onSelect([...toggle(selected, id)])}
            />
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

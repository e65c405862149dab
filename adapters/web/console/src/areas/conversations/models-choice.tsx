import { Checkbox, Popover, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { IconButton } from "../../shared/ui/icon-button.tsx";
import { allModels, chatModels } from "./all-models.ts";
import messageCss from "./message.module.css";
import { useTexts } from "./texts.ts";

const MOST = 4;

interface ModelsChoiceProps {
  readonly chosen: readonly string[];
  readonly choose: (ids: readonly string[]) => void;
}

/** Which models answer what is written, side by side; fewer than two: the conversation's own does. */
export function ModelsChoice({ chosen, choose }: ModelsChoiceProps) {
  const { t } = useTexts();
  const [isOpen, setOpen] = useState(false);
  const { data } = useQuery(allModels);
  const chats = chatModels(data?.items ?? []);
  if (chats.length < 2) return null;
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
        {chosen.length > 1 && (
          <Text span size="xs" data-testid="asked-count">
            {t("askedCount", { count: chosen.length })}
          </Text>
        )}
      </span>
      <Popover.Dropdown>
        <Stack gap="xs" mah="40vh" style={{ overflowY: "auto" }}>
          <Text size="sm" c="dimmed" maw={280}>
            {t("askSeveralHint")}
          </Text>
          {chats.map(({ id, name }) => (
            <Checkbox
              key={id}
              label={name}
              checked={chosen.includes(id)}
              disabled={chosen.length >= MOST && !chosen.includes(id)}
              onChange={({ currentTarget }) =>
                choose(currentTarget.checked ? [...chosen, id] : chosen.filter((one) => one !== id))
              }
            />
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

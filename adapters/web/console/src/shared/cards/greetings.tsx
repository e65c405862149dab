import { Button, Group, Tabs, Text, Textarea } from "@mantine/core";
import { useState } from "react";
import { parley } from "../api/client.ts";
import type { JsonObject } from "../json-object.ts";
import { Failure, useAction } from "../ui/common.tsx";
import { Icon } from "../ui/element/icon.tsx";
import { IconButton } from "../ui/element/icon-button.tsx";
import { useTexts } from "./texts.ts";

const MAX_GREETINGS = 51;
const SUGGESTION_COUNT = 3;

interface GreetingsProps {
  /** The first message and the alternate greetings; never empty. */
  readonly greetings: readonly string[];
  readonly onChange: (greetings: readonly string[]) => void;
  /** Card fields for the model that proposes greetings. */
  readonly card: JsonObject;
  readonly isNamed: boolean;
}

/** The greetings of a card, one per tab. */
export function Greetings({ greetings, onChange, card, isNamed }: GreetingsProps) {
  const { t } = useTexts();
  const [activeIndex, setActiveIndex] = useState("0");
  const { toHandler, isBusy, error } = useAction([]);
  const at = Math.min(Number(activeIndex), greetings.length - 1);
  const change = (text: string) => onChange(greetings.map((one, index) => (index === at ? text : one)));
  const add = (texts: readonly string[]) => {
    const next = [...greetings, ...texts].slice(0, MAX_GREETINGS);
    onChange(next);
    setActiveIndex(String(next.length - texts.length));
  };
  const remove = () => {
    onChange(greetings.length === 1 ? [""] : greetings.filter((_, index) => index !== at));
    setActiveIndex(String(Math.max(0, at - 1)));
  };
  const generate = toHandler(async () => {
    const body = { card, count: SUGGESTION_COUNT };
    const { first_message, alternatives } = await parley.post("/api/personality/ai-generate-first-message", { body });
    add([first_message, ...alternatives]);
  });
  return (
    <Tabs value={String(at)} onChange={(value) => setActiveIndex(value ?? "0")}>
      <Group gap={4} wrap="nowrap" align="center">
        <Tabs.List style={{ flex: 1, flexWrap: "wrap" }} aria-label={t("greetings")}>
          {greetings.map((_, index) => (
            <Tabs.Tab
              key={index}
              value={String(index)}
              px="xs"
              py={6}
              aria-label={index === 0 ? `1 · ${t("firstGreeting")}` : t("greeting", { number: String(index + 1) })}
              data-testid="greeting-tab"
            >
              {index + 1}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <IconButton
          icon="plus"
          label={t("addGreeting")}
          isDisabled={greetings.length >= MAX_GREETINGS}
          onClick={() => add([""])}
          testId="add-greeting"
        />
        <IconButton icon="trash" label={t("removeGreeting")} onClick={remove} />
      </Group>
      <Tabs.Panel value={String(at)} pt="xs">
        <Textarea
          aria-label={at === 0 ? t("firstGreeting") : t("greeting", { number: String(at + 1) })}
          autosize
          minRows={4}
          maxRows={18}
          value={greetings[at] ?? ""}
          onChange={({ currentTarget }) => change(currentTarget.value)}
          data-testid="greeting-text"
        />
      </Tabs.Panel>
      <Text size="xs" c="dimmed" mt={4}>
        {t("placeholders", { names: "{{user}}, {{char}}", dice: "{{random::a::b}}", now: "{{time}}, {{date}}" })}
      </Text>
      <Button
        size="compact-xs"
        variant="subtle"
        mt={4}
        leftSection={<Icon name="model" size={14} />}
        loading={isBusy}
        disabled={!isNamed}
        onClick={generate}
      >
        {t("generateGreetings")}
      </Button>
      <Failure error={error} />
    </Tabs>
  );
}

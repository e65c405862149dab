import { Badge, Group, SegmentedControl, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { characters } from "../api/characters.ts";
import { TextareaField } from "../ui/form/fields.tsx";
import cardEditorCss from "./card-editor.module.css";
import { type CardValues, toCardFields } from "./card-fields.ts";
import { useTexts } from "./texts.ts";

/** Fetches a preview of the prompt that the draft produces. */
export function usePromptPreview(values: CardValues) {
  const [settledValues] = useDebouncedValue(values, 400);
  const { portrait: _portrait, avatar: _avatar, ...cardFields } = toCardFields(settledValues);
  return useQuery({
    queryKey: ["card-preview", cardFields],
    queryFn: ({ signal }) =>
      characters.previewPrompt({ ...cardFields, name: settledValues.name.trim() || "?" }, signal),
    placeholderData: keepPreviousData,
    gcTime: 30_000,
  });
}

interface PromptBoxProps {
  readonly values: CardValues;
  readonly onChange: (patch: Partial<CardValues>) => void;
  readonly preview: Awaited<ReturnType<typeof characters.previewPrompt>> | undefined;
}

/** The preview of a card's prompt, or an editor for rules that replace the general ones. */
export function PromptBox({ values, onChange, preview }: PromptBoxProps) {
  const { t } = useTexts();
  const isManual = values.system_prompt_mode === "manual";
  const setMode = (mode: CardValues["system_prompt_mode"]) =>
    onChange({
      system_prompt_mode: mode,
      // The definition is sent separately, so a manual prompt starts from the general rules.
      ...(mode === "manual" && { system_prompt: values.system_prompt || "{{original}}" }),
    });
  return (
    <section aria-label={t("prompt")}>
      <Group justify="space-between" mb={6} gap="xs">
        <Text size="sm" fw={600}>
          {t("preview")}
        </Text>
        {preview && (
          <Badge variant="light" data-testid="prompt-tokens">
            {t("tokens", { count: preview.total })}
          </Badge>
        )}
      </Group>
      <SegmentedControl
        size="xs"
        fullWidth
        mb="xs"
        value={values.system_prompt_mode}
        onChange={setMode}
        aria-label={t("system_prompt")}
        data={[
          { value: "auto", label: t("generatedPrompt") },
          { value: "manual", label: t("manualPrompt") },
        ]}
      />
      {isManual ? (
        <TextareaField
          name="system_prompt"
          aria-label={t("system_prompt")}
          minRows={8}
          maxRows={24}
          value={values.system_prompt}
          onChange={(system_prompt) => onChange({ system_prompt })}
        />
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll it
        <pre className={cardEditorCss.promptPreview} tabIndex={0} data-testid="prompt-preview">
          {preview?.system_prompt ?? ""}
        </pre>
      )}
      {preview && (
        <Text size="xs" c="dimmed" mt={4}>
          {t("promptTotal", { count: preview.total })}
        </Text>
      )}
    </section>
  );
}

import { Button, Checkbox, Fieldset, Group, SimpleGrid } from "@mantine/core";
import { useLocalized } from "../../shared/i18n/use-localized.ts";
import type { Section } from "./api.ts";
import { useTexts } from "./texts.ts";

interface SectionChoiceProps {
  readonly legend: string;
  readonly sections: readonly Section[];
  readonly chosen: readonly string[];
  readonly choose: (ids: readonly string[]) => void;
  /** Content behind the name of a section. */
  readonly beside?: (id: string) => React.ReactNode;
}

/** Selects sections of the configuration. */
export function SectionChoice({ legend, sections, chosen, choose, beside }: SectionChoiceProps) {
  const { t } = useTexts();
  const local = useLocalized();
  const update = (id: string, isIn: boolean) =>
    choose(sections.map((one) => one.id).filter((one) => (one === id ? isIn : chosen.includes(one))));
  return (
    <Fieldset legend={legend}>
      <Group gap="xs" mb="xs">
        <Button size="compact-xs" variant="default" onClick={() => choose(sections.map(({ id }) => id))}>
          {t("all")}
        </Button>
        <Button size="compact-xs" variant="default" onClick={() => choose([])}>
          {t("none")}
        </Button>
      </Group>
      <SimpleGrid cols={{ base: 1, xs: 2, sm: 3 }} spacing="xs" verticalSpacing={8}>
        {sections.map(({ id, title }) => (
          <Checkbox
            key={id}
            label={
              <>
                {local(title)} {beside?.(id)}
              </>
            }
            checked={chosen.includes(id)}
            onChange={({ currentTarget }) => update(id, currentTarget.checked)}
            data-testid={`section-${id}`}
          />
        ))}
      </SimpleGrid>
    </Fieldset>
  );
}

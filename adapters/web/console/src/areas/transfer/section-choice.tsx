import { Button, Checkbox, Fieldset, Group, SimpleGrid } from "@mantine/core";
import { useLocalized } from "../../shared/i18n/use-localized.ts";
import type { Section } from "./api.ts";
import { useTexts } from "./texts.ts";

interface SectionChoiceProps {
  readonly legend: string;
  readonly sections: readonly Section[];
  readonly selected: readonly string[];
  readonly onSelect: (ids: readonly string[]) => void;
  /** Renders additional content after the name of a section. */
  readonly renderDetail?: (id: string) => React.ReactNode;
}

export function SectionChoice({ legend, sections, selected, onSelect, renderDetail }: SectionChoiceProps) {
  const { t } = useTexts();
  const localize = useLocalized();
  const update = (id: string, isIn: boolean) =>
    onSelect(sections.map((one) => one.id).filter((one) => (one === id ? isIn : selected.includes(one))));
  return (
    <Fieldset legend={legend}>
      <Group gap="xs" mb="xs">
        <Button size="compact-xs" variant="default" onClick={() => onSelect(sections.map(({ id }) => id))}>
          {t("all")}
        </Button>
        <Button size="compact-xs" variant="default" onClick={() => onSelect([])}>
          {t("none")}
        </Button>
      </Group>
      <SimpleGrid cols={{ base: 1, xs: 2, sm: 3 }} spacing="xs" verticalSpacing={8}>
        {sections.map(({ id, title }) => (
          <Checkbox
            key={id}
            label={
              <>
                {localize(title)} {renderDetail?.(id)}
              </>
            }
            checked={selected.includes(id)}
            onChange={({ currentTarget }) => update(id, currentTarget.checked)}
            data-testid={`section-${id}`}
          />
        ))}
      </SimpleGrid>
    </Fieldset>
  );
}

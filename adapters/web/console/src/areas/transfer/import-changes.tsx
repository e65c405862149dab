import { Accordion, Alert, Badge, Code, Group, Stack, Text } from "@mantine/core";
import { useLocalized } from "../../shared/i18n/use-localized.ts";
import type { ConfigImport, ImportedSection, Section } from "./api.ts";
import { useTexts } from "./texts.ts";

const COLORS = { create: "parley", update: "yellow", failed: "red", skip: "gray" } as const;

interface ImportChangesProps {
  readonly result: ConfigImport;
  readonly sections: readonly Section[];
}

/** The changes of an import or its trial, by section and record. */
export function ImportChanges({ result, sections }: ImportChangesProps) {
  const { t } = useTexts();
  const localize = useLocalized();
  const rows = sections.flatMap(({ id, title }) => {
    const section = result.sections[id];
    return section ? [{ id, title: localize(title), section }] : [];
  });
  const changedRows = rows.filter(({ section }) => section.items.length > section.skipped);
  return (
    <Stack gap="sm" data-testid="changes">
      {result.missing_env.length > 0 && (
        <Alert color="yellow" role="note">
          {t("missing")}
          <Group gap={6} mt={6}>
            {result.missing_env.map((name) => (
              <Code key={name}>{name}</Code>
            ))}
          </Group>
        </Alert>
      )}
      {result.warnings.map((warning) => (
        <Alert key={warning} color="yellow" py="xs" role="note">
          {warning}
        </Alert>
      ))}
      {changedRows.length === 0 && <Text c="dimmed">{t("nothing")}</Text>}
      <Accordion multiple variant="contained" defaultValue={changedRows.slice(0, 1).map(({ id }) => id)}>
        {changedRows.map(({ id, title, section }) => (
          <Accordion.Item key={id} value={id} data-testid={`changed-${id}`}>
            <Accordion.Control>
              <Group justify="space-between" gap="xs" pr="xs">
                <Text size="sm" fw={600}>
                  {title}
                </Text>
                <SectionCounts section={section} />
              </Group>
            </Accordion.Control>
            <Accordion.Panel>
              <SectionItems section={section} />
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
    </Stack>
  );
}

function SectionCounts({ section }: { readonly section: ImportedSection }) {
  const { t } = useTexts();
  const counts = [
    ["create", section.created],
    ["update", section.updated],
    ["failed", section.failed],
  ] as const;
  return (
    <Group gap={6}>
      {counts
        .filter(([, count]) => count > 0)
        .map(([what, count]) => (
          <Badge key={what} color={COLORS[what]} variant="light" tt="none">
            {count} {t(what)}
          </Badge>
        ))}
      {section.skipped > 0 && (
        <Text size="xs" c="dimmed">
          {section.skipped} {t("same")}
        </Text>
      )}
    </Group>
  );
}

function SectionItems({ section }: { readonly section: ImportedSection }) {
  const { t } = useTexts();
  return (
    <Stack gap={6}>
      {section.items
        .filter(({ action }) => action !== "skip")
        .map(({ id, name, action, changed_fields }) => (
          <Group key={id} gap="xs" align="baseline" wrap="wrap">
            <Badge size="sm" color={COLORS[action]} variant="light" tt="none">
              {t(action === "skip" ? "same" : action)}
            </Badge>
            <Text size="sm" style={{ overflowWrap: "anywhere" }}>
              {name}
            </Text>
            {changed_fields.length > 0 && (
              <Text size="xs" c="dimmed" style={{ overflowWrap: "anywhere" }}>
                {t("fields")}: {changed_fields.join(", ")}
              </Text>
            )}
          </Group>
        ))}
    </Stack>
  );
}

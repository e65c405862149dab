import { Badge, Group, Switch, Text } from "@mantine/core";
import type { ResourceColumn } from "../../shared/api/console.ts";
import { useLocalized } from "../../shared/i18n/use-localized.ts";
import textCss from "../../shared/styles/text.module.css";
import { formatShortTime, formatTime } from "../../shared/ui/common.tsx";
import tableCss from "../../shared/ui/table/table.module.css";
import { useTexts } from "../texts.ts";

interface CellProps {
  readonly column: ResourceColumn;
  readonly value: unknown;
  /** Saves a flipped switch at once; undefined where the field is read-only. */
  readonly onToggle?: ((isOn: boolean) => void) | undefined;
  /** The name of the record the switch belongs to. */
  readonly name: string;
}

const MAX_TAGS = 6;

/** The value of a record's field in a table. */
export function Cell({ column, value, onToggle, name }: CellProps) {
  const { t, language } = useTexts();
  const localize = useLocalized();
  const toTitle = (one: unknown) => {
    const option = column.options?.find(({ value: known }) => known === one);
    return option ? localize(option.title) : String(one);
  };
  if (isEmptyValue(value)) {
    return (
      <Text span c="dimmed" className={tableCss.emptyValue}>
        –
      </Text>
    );
  }
  switch (column.type) {
    case "switch":
      if (!onToggle) return <Text span>{t(value === true ? "yes" : "no")}</Text>;
      return (
        <Switch
          size="sm"
          aria-label={`${localize(column.title)}: ${name}`}
          checked={value === true}
          onChange={({ currentTarget }) => onToggle(currentTarget.checked)}
        />
      );
    case "choice":
      return (
        <Badge variant="light" radius="sm">
          {toTitle(value)}
        </Badge>
      );
    case "tags": {
      const words = Array.isArray(value) ? value : [value];
      return (
        <Group gap={4}>
          {words.slice(0, MAX_TAGS).map((word) => (
            <Badge key={String(word)} variant="default" size="sm" radius="sm" fw={500}>
              {toTitle(word)}
            </Badge>
          ))}
          {words.length > MAX_TAGS && <Text size="xs">+{words.length - MAX_TAGS}</Text>}
        </Group>
      );
    }
    case "time":
      return (
        <time dateTime={String(value)} title={formatTime(String(value), language)}>
          {formatShortTime(String(value), language)}
        </time>
      );
    case "json":
      return <code className={`${textCss.oneLine} ${tableCss.clamped}`}>{JSON.stringify(value)}</code>;
    default:
      return (
        <span className={tableCss.clamped}>
          {typeof value === "number" ? value.toLocaleString(language) : String(value)}
        </span>
      );
  }
}

function isEmptyValue(value: unknown): boolean {
  return value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);
}

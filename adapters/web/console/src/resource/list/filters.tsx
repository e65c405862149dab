import { Group, NativeSelect, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useEffect, useState } from "react";
import type { ResourceColumn, ResourceView } from "../../shared/api/console.ts";
import { useLocalized } from "../../shared/i18n/use-localized.ts";
import { Icon } from "../../shared/ui/element/icon.tsx";
import type { ListState } from "../records.ts";
import { useTexts } from "../texts.ts";
import filtersCss from "./filters.module.css";

const DEBOUNCE_MS = 250;

interface FiltersProps {
  readonly view: ResourceView;
  readonly state: ListState;
  readonly change: (state: ListState) => void;
}

/** The search field and the filters above the list. */
export function Filters({ view, state, change }: FiltersProps) {
  const { t } = useTexts();
  const { filter = {} } = state;
  const setFilter = (field: string, value: string | boolean | undefined) => {
    const { [field]: _, ...rest } = filter;
    const next = value === undefined || value === "" ? rest : { ...rest, [field]: value };
    change({ filter: Object.keys(next).length > 0 ? next : undefined });
  };
  if (!view.search && view.filters.length === 0) return null;
  return (
    <Group gap="xs" mb="sm" className={filtersCss.filters}>
      {view.search && (
        <DebouncedField
          label={t("searchHere")}
          value={state.q ?? ""}
          onChange={(q) => change({ q })}
          icon
          testId="record-search"
        />
      )}
      {view.filters.map((column) => (
        <FilterField
          key={column.field}
          column={column}
          value={filter[column.field]}
          onChange={(value) => setFilter(column.field, value)}
        />
      ))}
    </Group>
  );
}

interface FilterFieldProps {
  readonly column: ResourceColumn;
  readonly value: string | boolean | undefined;
  readonly onChange: (value: string | boolean | undefined) => void;
}

function FilterField({ column, value, onChange }: FilterFieldProps) {
  const { t } = useTexts();
  const localize = useLocalized();
  const title = localize(column.title);
  const choices =
    column.type === "switch"
      ? [
          { value: "true", label: t("yes") },
          { value: "false", label: t("no") },
        ]
      : column.options?.map((option) => ({ value: option.value, label: localize(option.title) }));
  if (!choices)
    return (
      <DebouncedField label={title} value={String(value ?? "")} onChange={onChange} testId={`filter-${column.field}`} />
    );
  return (
    <NativeSelect
      size="sm"
      aria-label={title}
      value={String(value ?? "")}
      onChange={({ currentTarget }) =>
        onChange(
          column.type === "switch" && currentTarget.value !== "" ? currentTarget.value === "true" : currentTarget.value,
        )
      }
      data={[
        { value: "", label: `${title}: ${t("any")}` },
        ...choices.map((one) => ({ ...one, label: `${title}: ${one.label}` })),
      ]}
      data-testid={`filter-${column.field}`}
    />
  );
}

interface DebouncedFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly icon?: boolean;
  readonly testId: string;
}

function DebouncedField({ label, value, onChange, icon = false, testId }: DebouncedFieldProps) {
  const [typed, setTyped] = useState(value);
  const changeLater = useDebouncedCallback(onChange, DEBOUNCE_MS);
  // The value also changes from outside, such as by the back button.
  useEffect(() => setTyped(value), [value]);
  return (
    <TextInput
      type="search"
      size="sm"
      placeholder={label}
      aria-label={label}
      value={typed}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        changeLater(currentTarget.value);
      }}
      {...(icon && { leftSection: <Icon name="search" size={15} /> })}
      data-testid={testId}
    />
  );
}

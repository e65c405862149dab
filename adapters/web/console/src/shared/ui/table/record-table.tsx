import { Checkbox, Group, Table, Text, Title } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import { createContext, useContext, useId } from "react";
import type { Listed } from "../../api/client.ts";
import textCss from "../../styles/text.module.css";
import { Loaded } from "../common.tsx";
import tableCss from "./table.module.css";

interface RecordTableProps {
  readonly columns: readonly string[];
  /** Label of the column with buttons; for screen readers only. */
  readonly actions: string;
  /** Label of the column with checkboxes; for screen readers only. */
  readonly choice?: string | undefined;
  readonly children: React.ReactNode;
}

const ColumnsContext = createContext<readonly string[]>([]);

/** Records as table rows; on phones each is a card with its fields below each other. */
export function RecordTable({ columns, actions, choice, children }: RecordTableProps) {
  return (
    <ColumnsContext value={columns}>
      <Table verticalSpacing={6} fz="sm" mt="sm" className={tableCss.recordTable}>
        <Table.Thead>
          <Table.Tr>
            {choice && (
              <Table.Th w={36}>
                <span className={textCss.unseen}>{choice}</span>
              </Table.Th>
            )}
            {columns.map((column) => (
              <Table.Th key={column}>{column}</Table.Th>
            ))}
            <Table.Th>
              <span className={textCss.unseen}>{actions}</span>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>{children}</Table.Tbody>
      </Table>
    </ColumnsContext>
  );
}

interface RecordRowProps {
  /** One for each column. */
  readonly cells: readonly React.ReactNode[];
  readonly actions: React.ReactNode;
  readonly testId: string;
  /** In a table with a choice. */
  readonly choice?: RowSelection | undefined;
}

export interface RowSelection {
  readonly label: string;
  readonly isSelected: boolean;
  readonly toggle: () => void;
}

export function RecordRow({ cells, actions, testId, choice }: RecordRowProps) {
  const columns = useContext(ColumnsContext);
  return (
    <Table.Tr data-testid={testId} data-chosen={choice?.isSelected}>
      {choice && (
        <Table.Td className={tableCss.choice}>
          <Checkbox size="xs" aria-label={choice.label} checked={choice.isSelected} onChange={choice.toggle} />
        </Table.Td>
      )}
      {columns.map((column, index) => (
        <Table.Td key={column} data-label={column} className={index === 0 ? tableCss.mainCell : undefined}>
          <div data-short={isShort(cells[index])}>{cells[index]}</div>
        </Table.Td>
      ))}
      <Table.Td>
        <Group gap={4} wrap="nowrap" justify="flex-end">
          {actions}
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}

/** A few words, which stay on one line. */
function isShort(cell: React.ReactNode): boolean {
  return typeof cell === "string" && cell.length < 22;
}

interface RecordSectionProps<Item> {
  readonly title: string;
  readonly hint: string;
  /** The form for a new record. */
  readonly form: React.ReactNode;
  readonly query: UseQueryResult<Listed<Item>>;
  readonly columns: readonly string[];
  readonly actions: string;
  readonly row: (item: Item) => React.ReactNode;
  /** Content below the table. */
  readonly foot?: React.ReactNode;
}

/** A section of a page for one kind of record: description, form and table. */
export function RecordSection<Item>(props: RecordSectionProps<Item>) {
  const id = useId();
  const { title, hint, form, query, columns, actions, row, foot } = props;
  return (
    <section aria-labelledby={id} className={tableCss.records}>
      <Title order={2} size="h4" id={id}>
        {title}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {hint}
      </Text>
      {form}
      <Loaded query={query}>
        {({ items }) =>
          items.length > 0 && (
            <>
              <RecordTable columns={columns} actions={actions}>
                {items.map(row)}
              </RecordTable>
              {foot}
            </>
          )
        }
      </Loaded>
    </section>
  );
}

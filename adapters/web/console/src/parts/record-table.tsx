import { Group, Table, Text, Title } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import { createContext, useContext } from "react";
import type { Listed } from "../api/client.ts";
import { useTexts } from "../i18n.ts";
import type { TextKey } from "../texts.ts";
import { Loaded } from "./common.tsx";

interface RecordTableProps {
  readonly columns: readonly TextKey[];
  /** What the buttons of the last column do; read aloud only. */
  readonly actions: TextKey;
  readonly children: React.ReactNode;
}

const Columns = createContext<readonly TextKey[]>([]);

/** Records as rows, where there is room for it; on a phone each stands on its own, its fields below each other. */
export function RecordTable({ columns, actions, children }: RecordTableProps) {
  const { t } = useTexts();
  return (
    <Columns value={columns}>
      <Table verticalSpacing={6} fz="sm" mt="sm" className="record-table">
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <Table.Th key={column}>{t(column)}</Table.Th>
            ))}
            <Table.Th>
              <span className="unseen">{t(actions)}</span>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>{children}</Table.Tbody>
      </Table>
    </Columns>
  );
}

interface RecordRowProps {
  /** One for each column. */
  readonly cells: readonly React.ReactNode[];
  readonly actions: React.ReactNode;
  readonly testId: string;
}

export function RecordRow({ cells, actions, testId }: RecordRowProps) {
  const { t } = useTexts();
  const columns = useContext(Columns);
  return (
    <Table.Tr data-testid={testId}>
      {columns.map((column, index) => (
        <Table.Td key={column} data-label={t(column)}>
          <div>{cells[index]}</div>
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

interface RecordSectionProps<Item> {
  readonly title: TextKey;
  readonly hint: TextKey;
  /** How one is made. */
  readonly form: React.ReactNode;
  readonly query: UseQueryResult<Listed<Item>>;
  readonly columns: readonly TextKey[];
  readonly actions: TextKey;
  readonly row: (item: Item) => React.ReactNode;
  /** Below the table, for all of them. */
  readonly foot?: React.ReactNode;
}

/** A part of a page for one kind of record: what they are, a new one, and those that there are. */
export function RecordSection<Item>(props: RecordSectionProps<Item>) {
  const { t } = useTexts();
  const { title, hint, form, query, columns, actions, row, foot } = props;
  return (
    <section aria-labelledby={title} className="records">
      <Title order={2} size="h4" id={title}>
        {t(title)}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t(hint)}
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

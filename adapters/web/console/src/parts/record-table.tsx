import { Table, Text, Title } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import type { Listed } from "../api/client.ts";
import { useTexts } from "../i18n.ts";
import type { TextKey } from "../texts.ts";
import { Loaded } from "./common.tsx";

interface RecordTableProps {
  readonly columns: readonly TextKey[];
  /** What the buttons of the last column do; read aloud only. */
  readonly actions: TextKey;
  /** Narrower than this it scrolls sideways. */
  readonly minWidth?: number;
  readonly children: React.ReactNode;
}

/** Records as rows: their fields under the columns, their buttons at the end. */
export function RecordTable({ columns, actions, minWidth = 560, children }: RecordTableProps) {
  const { t } = useTexts();
  return (
    <Table.ScrollContainer minWidth={minWidth}>
      <Table verticalSpacing={6} fz="sm">
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
    </Table.ScrollContainer>
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

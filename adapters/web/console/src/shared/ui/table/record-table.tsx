import { Checkbox, Group, Table, UnstyledButton } from "@mantine/core";
import { createContext, useContext } from "react";
import { useTexts } from "../../i18n/i18n.ts";
import textCss from "../../styles/text.module.css";
import { Icon } from "../element/icon.tsx";
import tableCss from "./table.module.css";

/** A column that the service can sort by. */
export interface SortableColumn {
  readonly title: string;
  /** The field that it is sorted by: `name`, or `-name` for descending. */
  readonly sortField: string;
}
export type Column = string | SortableColumn;

/** The order of a list, in the format of the service. */
export interface Sorting {
  readonly sort: string;
  readonly sortBy: (sort: string) => void;
}

export interface RowSelection {
  readonly label: string;
  readonly isSelected: boolean;
  /** True when some of several rows are selected. */
  readonly isPartial?: boolean;
  readonly toggle: () => void;
}

export interface RecordTableProps {
  readonly columns: readonly Column[];
  /** Label of the column with buttons, for screen readers only; undefined for no such column. */
  readonly actions?: string | undefined;
  /** The checkbox for all rows, or the column's label for screen readers. */
  readonly selection?: RowSelection | string | undefined;
  readonly sorting?: Sorting | undefined;
  readonly children: React.ReactNode;
}

const ColumnsContext = createContext<readonly Column[]>([]);

const toTitle = (column: Column) => (typeof column === "string" ? column : column.title);

/** Records as table rows; on phones each is a card with its fields below each other. */
export function RecordTable({ columns, actions, selection, sorting, children }: RecordTableProps) {
  return (
    <ColumnsContext value={columns}>
      <Table verticalSpacing={6} fz="sm" mt="sm" className={tableCss.table}>
        <Table.Thead>
          <Table.Tr>
            {selection && (
              <Table.Th w={36}>
                {typeof selection === "string" ? (
                  <span className={textCss.visuallyHidden}>{selection}</span>
                ) : (
                  <SelectionBox selection={selection} />
                )}
              </Table.Th>
            )}
            {columns.map((column) =>
              typeof column !== "string" && sorting ? (
                <SortableHead key={column.sortField} column={column} sorting={sorting} />
              ) : (
                <Table.Th key={toTitle(column)}>{toTitle(column)}</Table.Th>
              ),
            )}
            {actions !== undefined && (
              <Table.Th>
                <span className={textCss.visuallyHidden}>{actions}</span>
              </Table.Th>
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>{children}</Table.Tbody>
      </Table>
    </ColumnsContext>
  );
}

function SortableHead({ column, sorting }: { readonly column: SortableColumn; readonly sorting: Sorting }) {
  const { t } = useTexts();
  const { title, sortField: field } = column;
  const { sort, sortBy } = sorting;
  const isUp = sort === field;
  const isDown = sort === `-${field}`;
  return (
    <Table.Th aria-sort={isUp ? "ascending" : isDown ? "descending" : "none"}>
      <UnstyledButton
        className={tableCss.sort}
        aria-label={t("sortBy", { name: title })}
        onClick={() => sortBy(isUp ? `-${field}` : field)}
        data-active={isUp || isDown}
      >
        {title}
        <Icon name={isDown ? "sortDown" : "sortUp"} size={13} />
      </UnstyledButton>
    </Table.Th>
  );
}

function SelectionBox({ selection }: { readonly selection: RowSelection }) {
  const { label, isSelected, isPartial = false, toggle } = selection;
  return <Checkbox size="xs" aria-label={label} checked={isSelected} indeterminate={isPartial} onChange={toggle} />;
}

interface RecordRowProps {
  /** One for each column. */
  readonly cells: readonly React.ReactNode[];
  /** Undefined in a table without this column. */
  readonly actions?: React.ReactNode;
  readonly testId: string;
  /** Id of the record, for tests. */
  readonly record?: string;
  /** Undefined in a table without checkboxes. */
  readonly selection?: RowSelection | undefined;
}

export function RecordRow({ cells, actions, testId, record, selection }: RecordRowProps) {
  const columns = useContext(ColumnsContext);
  return (
    <Table.Tr data-testid={testId} data-record={record} data-selected={selection?.isSelected}>
      {selection && (
        <Table.Td className={tableCss.selectionCell}>
          <SelectionBox selection={selection} />
        </Table.Td>
      )}
      {columns.map((column, index) => (
        <Table.Td
          key={toTitle(column)}
          data-label={toTitle(column)}
          className={index === 0 ? tableCss.mainCell : undefined}
        >
          <div data-short={isShort(cells[index])}>{cells[index]}</div>
        </Table.Td>
      ))}
      {actions !== undefined && (
        <Table.Td className={tableCss.rowActions}>
          <Group gap={4} wrap="nowrap" justify="flex-end">
            {actions}
          </Group>
        </Table.Td>
      )}
    </Table.Tr>
  );
}

/** True for a short text, which stays on one line. */
function isShort(cell: React.ReactNode): boolean {
  return typeof cell === "string" && cell.length < 22;
}

import { ActionIcon, Checkbox, Group, Skeleton, Table, Text, UnstyledButton } from "@mantine/core";
import textCss from "../../styles/text.module.css";
import commonCss from "../common.module.css";
import { Icon } from "../element/icon.tsx";
import tableCss from "./table.module.css";

export interface Column<Row> {
  readonly id: string;
  readonly title: string;
  readonly isSortable: boolean;
  readonly cell: (row: Row) => React.ReactNode;
}

interface DataTableProps<Row> {
  readonly columns: readonly Column<Row>[];
  /** Undefined: on their way. */
  readonly rows: readonly Row[] | undefined;
  readonly getId: (row: Row) => string;
  readonly getName: (row: Row) => string;
  /** `name` or `-name`. */
  readonly sort: string;
  readonly sortBy: (sort: string) => void;
  /** Absent: none can be chosen. */
  readonly selected?: ReadonlySet<string>;
  readonly onSelect: (ids: ReadonlySet<string>) => void;
  /** Buttons at the end of a row. */
  readonly actions?: (row: Row) => React.ReactNode;
  readonly texts: {
    readonly chooseAll: string;
    readonly chooseOne: (name: string) => string;
    readonly sortBy: (title: string) => string;
    readonly actions: string;
  };
}

const SKELETON_ROWS = 4;

/** A page of rows sorted by the service; on phones each row is a card. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { columns, rows, getId, getName, selected, onSelect, actions, texts } = props;
  const ids = rows?.map(getId) ?? [];
  const isAll = ids.length > 0 && ids.every((id) => selected?.has(id));
  const isSome = ids.some((id) => selected?.has(id));
  const toggle = (id: string) => {
    const next = new Set(selected);
    if (!next.delete(id)) next.add(id);
    onSelect(next);
  };
  return (
    <Table verticalSpacing={7} fz="sm" className={tableCss.dataTable} highlightOnHover>
      <Table.Thead>
        <Table.Tr>
          {selected && (
            <Table.Th w={36}>
              <Checkbox
                size="xs"
                aria-label={texts.chooseAll}
                checked={isAll}
                indeterminate={isSome && !isAll}
                onChange={() => onSelect(new Set(isAll ? [] : ids))}
              />
            </Table.Th>
          )}
          {columns.map((column) => (
            <Head key={column.id} column={column} {...props} />
          ))}
          {actions && (
            <Table.Th w={48}>
              <span className={textCss.unseen}>{texts.actions}</span>
            </Table.Th>
          )}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows === undefined && <SkeletonRows columns={columns.length + (selected ? 1 : 0) + (actions ? 1 : 0)} />}
        {rows?.map((row) => {
          const id = getId(row);
          return (
            <Table.Tr key={id} data-testid="record-row" data-record={id} data-chosen={selected?.has(id) ?? false}>
              {selected && (
                <Table.Td className={tableCss.choice}>
                  <Checkbox
                    size="xs"
                    aria-label={texts.chooseOne(getName(row))}
                    checked={selected.has(id)}
                    onChange={() => toggle(id)}
                  />
                </Table.Td>
              )}
              {columns.map((column, index) => (
                <Table.Td
                  key={column.id}
                  data-label={column.title}
                  className={index === 0 ? tableCss.mainCell : undefined}
                >
                  <div>{column.cell(row)}</div>
                </Table.Td>
              ))}
              {actions && <Table.Td className={tableCss.rowActions}>{actions(row)}</Table.Td>}
            </Table.Tr>
          );
        })}
      </Table.Tbody>
    </Table>
  );
}

function Head<Row>({ column, sort, sortBy, texts }: DataTableProps<Row> & { readonly column: Column<Row> }) {
  const { id, title, isSortable } = column;
  if (!isSortable) return <Table.Th>{title}</Table.Th>;
  const isUp = sort === id;
  const isDown = sort === `-${id}`;
  return (
    <Table.Th aria-sort={isUp ? "ascending" : isDown ? "descending" : "none"}>
      <UnstyledButton
        className={tableCss.sort}
        aria-label={texts.sortBy(title)}
        onClick={() => sortBy(isUp ? `-${id}` : id)}
        data-active={isUp || isDown}
      >
        {title}
        <Icon name={isDown ? "sortDown" : "sortUp"} size={13} />
      </UnstyledButton>
    </Table.Th>
  );
}

function SkeletonRows({ columns }: { readonly columns: number }) {
  return Array.from({ length: SKELETON_ROWS }, (_, row) => (
    <Table.Tr key={row} className={commonCss.late}>
      {Array.from({ length: columns }, (__, column) => (
        <Table.Td key={column}>
          <Skeleton h={14} w={column === 1 ? "70%" : "50%"} />
        </Table.Td>
      ))}
    </Table.Tr>
  ));
}

interface PagerProps {
  readonly page: number;
  readonly size: number;
  readonly total: number;
  readonly go: (page: number) => void;
  readonly texts: {
    readonly shown: (from: number, to: number, total: number) => string;
    readonly before: string;
    readonly after: string;
  };
}

/** The position in a long list, with buttons for the next and previous page. */
export function Pager({ page, size, total, go, texts }: PagerProps) {
  const from = page * size + 1;
  const to = Math.min((page + 1) * size, total);
  if (total === 0) return null;
  return (
    <Group justify="flex-end" gap="xs" mt="xs">
      <Text size="xs" c="dimmed" data-testid="rows-shown">
        {texts.shown(from, to, total)}
      </Text>
      {total > size && (
        <>
          <ActionIcon
            variant="default"
            size="sm"
            aria-label={texts.before}
            disabled={page === 0}
            onClick={() => go(page - 1)}
          >
            <Icon name="back" size={14} />
          </ActionIcon>
          <ActionIcon
            variant="default"
            size="sm"
            aria-label={texts.after}
            disabled={to >= total}
            onClick={() => go(page + 1)}
          >
            <Icon name="next" size={14} />
          </ActionIcon>
        </>
      )}
    </Group>
  );
}

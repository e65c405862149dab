import { Skeleton, Text, Title } from "@mantine/core";
import { Fragment, useId } from "react";
import { useTexts } from "../../i18n/i18n.ts";
import commonCss from "../common.module.css";
import { LoadError } from "../common.tsx";
import { RecordRow, RecordTable, type RecordTableProps } from "./record-table.tsx";
import { type Paging, ShowMore } from "./show-more.tsx";
import tableCss from "./table.module.css";

interface ListQuery<Item> {
  readonly data: { readonly items: readonly Item[]; readonly total?: number } | undefined;
  readonly isError: boolean;
  readonly error: unknown;
  readonly refetch: () => unknown;
}

export interface RecordListProps<Item> extends Omit<RecordTableProps, "children"> {
  readonly query: ListQuery<Item>;
  readonly getId: (item: Item) => string;
  /** The row of one record: a `RecordRow`. */
  readonly row: (item: Item) => React.ReactNode;
  /** Shown in place of a table without rows. */
  readonly empty?: React.ReactNode;
  /** Adds a button that loads more. */
  readonly paging?: Paging | undefined;
  /** Content above a table with rows. */
  readonly above?: React.ReactNode;
  /** Content below a table with rows. */
  readonly children?: React.ReactNode;
}

const SKELETON_ROWS = ["first", "second", "third", "fourth"] as const;

/** A list of records: the table, or the loading, error or empty state. */
export function RecordList<Item>(props: RecordListProps<Item>) {
  const { query, getId, row, empty = null, above, paging, children, ...table } = props;
  const { data } = query;
  if (!data) return query.isError ? <LoadError query={query} /> : <SkeletonTable {...table} />;
  const { items, total = items.length } = data;
  return (
    <>
      {query.isError && <LoadError query={query} />}
      {items.length === 0 ? (
        empty
      ) : (
        <>
          {above}
          <RecordTable {...table}>
            {items.map((item) => (
              <Fragment key={getId(item)}>{row(item)}</Fragment>
            ))}
          </RecordTable>
          {paging && <ShowMore {...paging} shownCount={items.length} total={total} />}
          {children}
        </>
      )}
    </>
  );
}

function SkeletonTable({ columns, actions }: Omit<RecordTableProps, "children">) {
  const { t } = useTexts();
  const cells = columns.map((_, index) => <Skeleton key={index} h={14} w={index === 0 ? "70%" : "50%"} />);
  return (
    <div className={commonCss.delayed} role="status" aria-label={t("loading")}>
      <RecordTable columns={columns} actions={actions}>
        {SKELETON_ROWS.map((name) => (
          <RecordRow key={name} testId="skeleton-row" cells={cells} actions={actions && null} />
        ))}
      </RecordTable>
    </div>
  );
}

interface RecordSectionProps<Item> extends RecordListProps<Item> {
  readonly title: string;
  readonly hint: string;
  readonly form: React.ReactNode;
}

/** A section of a page for one kind of record: description, form and list. */
export function RecordSection<Item>({ title, hint, form, ...list }: RecordSectionProps<Item>) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={tableCss.records}>
      <Title order={2} size="h4" id={id}>
        {title}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {hint}
      </Text>
      {form}
      <RecordList {...list} />
    </section>
  );
}

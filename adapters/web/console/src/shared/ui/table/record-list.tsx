import { Skeleton, Text, Title } from "@mantine/core";
import { Fragment, useId } from "react";
import { useTexts } from "../../i18n/i18n.ts";
import commonCss from "../common.module.css";
import { LoadError } from "../common.tsx";
import { LoadMore } from "./load-more.tsx";
import { RecordRow, RecordTable, type RecordTableProps } from "./record-table.tsx";
import tableCss from "./table.module.css";
import type { LoadedPart } from "./use-paged-list.ts";

interface ListQuery<Item> {
  readonly data: { readonly items: readonly Item[] } | undefined;
  readonly isError: boolean;
  readonly error: unknown;
  readonly refetch: () => unknown;
}

export interface RecordListProps<Item> extends Omit<RecordTableProps, "children"> {
  /** One of `usePagedList` adds a button for the next page. */
  readonly query: ListQuery<Item> | (ListQuery<Item> & LoadedPart<Item>);
  readonly getId: (item: Item) => string;
  /** The row of one record: a `RecordRow`. */
  readonly row: (item: Item) => React.ReactNode;
  /** Shown in place of a table without rows. */
  readonly empty?: React.ReactNode;
  /** True to load more when the end becomes visible, for a list with nothing below it. */
  readonly isEndless?: boolean;
  /** Content above a table with rows. */
  readonly above?: React.ReactNode;
  /** Content below a table with rows. */
  readonly children?: React.ReactNode;
}

const SKELETON_ROWS = ["first", "second", "third", "fourth"] as const;

/** A list of records: the table, or the loading, error or empty state. */
export function RecordList<Item>(props: RecordListProps<Item>) {
  const { query, getId, row, empty = null, above, isEndless, children, ...table } = props;
  const { data } = query;
  if (!data) return query.isError ? <LoadError query={query} /> : <SkeletonTable {...table} />;
  const { items } = data;
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
          {"fetchNextPage" in query && <LoadMore list={query} isEndless={isEndless} />}
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

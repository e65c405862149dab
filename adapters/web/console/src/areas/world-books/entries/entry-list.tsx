import { Badge, Checkbox, Text } from "@mantine/core";
import { useRef, useState } from "react";
import textCss from "../../../shared/styles/text.module.css";
import { toggle } from "../../../shared/toggle.ts";
import { Icon } from "../../../shared/ui/element/icon.tsx";
import type { Entry } from "../api.ts";
import { useTexts } from "../texts.ts";
import worldBooksCss from "../world-books.module.css";
import { toEntryName } from "./entry-name.ts";
import { type RowsHandle, VirtualRows } from "./virtual-rows.tsx";

const ROW_HEIGHT_PX = 58;

interface EntryListProps {
  readonly entries: readonly Entry[];
  readonly openId: string | undefined;
  readonly open: (id: string) => void;
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (ids: ReadonlySet<string>) => void;
  /** Moves an entry; undefined unless the list is in insertion order. */
  readonly move?: (id: string, to: number) => void;
}

/** The entries of a book. Arrow keys open the next entry, space selects, and Alt with arrow keys moves. */
export function EntryList({ entries, openId, open, selected, onSelect, move }: EntryListProps) {
  const { t } = useTexts();
  const handle = useRef<RowsHandle>(null);
  const lastSelected = useRef<string>(undefined);
  const [dragged, setDragged] = useState<string>();
  const [dropIndex, setDropIndex] = useState<number>();
  const openIndex = entries.findIndex(({ id }) => id === openId);
  const openAt = (index: number) => {
    const next = entries[Math.min(Math.max(index, 0), entries.length - 1)];
    if (!next) return;
    open(next.id);
    handle.current?.show(entries.indexOf(next));
  };
  const select = (id: string, isRange: boolean) => {
    const from = entries.findIndex((entry) => entry.id === lastSelected.current);
    const to = entries.findIndex((entry) => entry.id === id);
    const range = entries.slice(Math.min(from, to), Math.max(from, to) + 1).map((entry) => entry.id);
    lastSelected.current = id;
    onSelect(isRange && from >= 0 ? selected.union(new Set(range)) : toggle(selected, id));
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    const steps: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1, PageUp: -8, PageDown: 8 };
    const step = steps[event.key];
    if (step !== undefined && event.altKey && move && openId !== undefined) {
      const to = Math.min(Math.max(openIndex + step, 0), entries.length - 1);
      move(openId, to);
      handle.current?.show(to);
    } else if (step !== undefined) openAt(openIndex + step);
    else if (event.key === "Home") openAt(0);
    else if (event.key === "End") openAt(entries.length - 1);
    else if (event.key === " " && openId !== undefined) select(openId, event.shiftKey);
    else return;
    event.preventDefault();
  };
  const endDrag = () => {
    setDragged(undefined);
    setDropIndex(undefined);
  };
  return (
    <VirtualRows
      rows={entries}
      height={ROW_HEIGHT_PX}
      label={t("entries")}
      activeId={openId === undefined ? undefined : `row-${openId}`}
      onKeyDown={onKeyDown}
      handle={handle}
      renderRow={(entry, index, top) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the list handles the keys for all its rows.
        // biome-ignore lint/a11y/useFocusableInteractive: as above; aria-activedescendant names the row.
        <div
          key={entry.id}
          id={`row-${entry.id}`}
          role="option"
          aria-selected={entry.id === openId}
          aria-checked={selected.has(entry.id)}
          className={worldBooksCss.wbRow}
          style={{ top }}
          data-open={entry.id === openId}
          data-off={!entry.enabled}
          data-target={dropIndex === index && dragged !== entry.id}
          data-testid="entry-row"
          onClick={() => open(entry.id)}
          draggable={move !== undefined}
          onDragStart={() => setDragged(entry.id)}
          onDragOver={(event) => {
            event.preventDefault();
            setDropIndex(index);
          }}
          onDrop={(event) => {
            event.preventDefault();
            if (dragged !== undefined) move?.(dragged, index);
            endDrag();
          }}
          onDragEnd={endDrag}
        >
          {move && (
            <span className={worldBooksCss.wbDrag} title={t("dragEntry", { name: toEntryName(entry) })}>
              <Icon name="drag" size={15} />
            </span>
          )}
          <Checkbox.Indicator
            size="xs"
            aria-hidden="true"
            title={t("selectOne", { name: toEntryName(entry) })}
            checked={selected.has(entry.id)}
            onClick={(event) => {
              event.stopPropagation();
              select(entry.id, event.shiftKey);
            }}
            data-testid="select-entry"
          />
          <span className={worldBooksCss.wbWords}>
            <Text span className={`${worldBooksCss.wbName} ${textCss.oneLine}`} display="block">
              {toEntryName(entry)}
            </Text>
            <span className={`${worldBooksCss.wbKeys} ${textCss.oneLine}`} style={{ display: "block" }}>
              {entry.always_on ? t("always_on") : entry.keywords.join(", ") || entry.content}
            </span>
          </span>
          {entry.warnings.length > 0 && (
            <Badge size="xs" color="yellow" variant="light" circle title={entry.warnings.join("\n")}>
              !
            </Badge>
          )}
          <Badge size="xs" variant="light" color="gray">
            {t(entry.entry_type)}
          </Badge>
        </div>
      )}
    />
  );
}

import { Select } from "@mantine/core";
import type { ElementItem, SelectElement } from "@parley/core";
import { ItemLink } from "./element-buttons.tsx";
import elementsCss from "./elements.module.css";
import type { ElementPressState } from "./use-element-press.ts";

interface ElementSelectProps {
  readonly element: SelectElement;
  readonly state: ElementPressState;
  /** Items that open an address, shown below the list. */
  readonly links: readonly ElementItem[];
}

/** A list of which one item is picked; the picked one is sent at once. */
export function ElementSelect({ element: { placeholder, items }, state, links }: ElementSelectProps) {
  const data = items.filter((item) => !links.includes(item)).map(({ id, label }) => ({ value: id, label }));
  return (
    <div className={elementsCss.buttons}>
      <Select
        aria-label={placeholder}
        placeholder={placeholder}
        size="sm"
        className={elementsCss.select}
        data={data}
        value={state.chosenId ?? state.sentId ?? null}
        onChange={(id) => id !== null && state.press(id)}
        allowDeselect={false}
        readOnly={state.isSending}
        disabled={state.isOver}
        data-testid="element-select"
      />
      {links.map((item) => (
        <ItemLink key={item.id} item={item} />
      ))}
    </div>
  );
}

import { Button } from "@mantine/core";
import type { ButtonsElement, ElementItem } from "@parley/core";
import { Icon } from "../../../shared/ui/element/icon.tsx";
import { useTexts } from "../texts.ts";
import elementsCss from "./elements.module.css";
import type { ElementPressState } from "./use-element-press.ts";

interface ElementButtonsProps {
  readonly element: ButtonsElement;
  readonly state: ElementPressState;
}

export function ElementButtons({ element, state }: ElementButtonsProps) {
  const { t } = useTexts();
  return (
    <fieldset className={elementsCss.buttons} aria-label={t("elementChoices")}>
      {element.items.map((item) =>
        item.url === undefined ? (
          <ItemButton key={item.id} item={item} state={state} />
        ) : (
          <ItemLink key={item.id} item={item} />
        ),
      )}
    </fieldset>
  );
}

function ItemButton({ item, state }: { readonly item: ElementItem; readonly state: ElementPressState }) {
  const { id, label, style } = item;
  const isChosen = state.chosenId === id;
  return (
    <Button
      size="xs"
      variant={style === "primary" && !state.isOver ? "filled" : "default"}
      className={elementsCss.item}
      // Not `disabled`, which would take the focus away from the button that was just pressed.
      aria-disabled={state.isOver || state.isSending}
      {...(state.isOver && { "data-disabled": true })}
      data-danger={style === "danger" || undefined}
      aria-pressed={isChosen}
      loading={state.sentId === id && state.isSending}
      leftSection={isChosen ? <Icon name="check" size={14} /> : undefined}
      onClick={() => state.press(id)}
      data-testid="element-item"
    >
      <span dir="auto">{label}</span>
    </Button>
  );
}

/** An item that opens an address; it can always be used. */
export function ItemLink({ item: { label, url } }: { readonly item: ElementItem }) {
  return (
    <Button
      component="a"
      href={url}
      target="_blank"
      rel="noreferrer noopener"
      size="xs"
      variant="default"
      className={elementsCss.item}
      rightSection={<span aria-hidden="true">↗</span>}
      data-testid="element-link"
    >
      <span dir="auto">{label}</span>
    </Button>
  );
}

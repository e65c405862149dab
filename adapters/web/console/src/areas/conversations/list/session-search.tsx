import { Kbd, TextInput } from "@mantine/core";
import { useDebouncedCallback, useHotkeys } from "@mantine/hooks";
import { useRef, useState } from "react";
import { Icon } from "../../../shared/ui/element/icon.tsx";
import { useTexts } from "../texts.ts";

const DEBOUNCE_MS = 200;

interface SessionSearchProps {
  /** Called with the query after typing has paused. */
  readonly search: (text: string) => void;
  /** Moves the focus into the list. */
  readonly onLeave: () => void;
}

/** The search field. It has its own state, so that a key re-renders only the field and not the whole list. */
export function SessionSearch({ search, onLeave }: SessionSearchProps) {
  const { t } = useTexts();
  const [query, setQuery] = useState("");
  const field = useRef<HTMLInputElement>(null);
  const debouncedSearch = useDebouncedCallback(search, DEBOUNCE_MS);
  useHotkeys([["/", () => field.current?.focus()]]);
  const changeQuery = (text: string) => {
    setQuery(text);
    debouncedSearch(text);
  };
  const onKeyDown = ({ key }: React.KeyboardEvent) => {
    if (key === "Escape") changeQuery("");
    if (key === "ArrowDown" || key === "Enter") onLeave();
  };
  return (
    <TextInput
      ref={field}
      type="search"
      value={query}
      onChange={({ currentTarget }) => changeQuery(currentTarget.value)}
      onKeyDown={onKeyDown}
      placeholder={t("searchShort")}
      aria-label={t("search")}
      leftSection={<Icon name="search" size={16} />}
      rightSection={
        query === "" && (
          <Kbd size="xs" visibleFrom="sm">
            /
          </Kbd>
        )
      }
      data-testid="session-search"
    />
  );
}

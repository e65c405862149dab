import { Kbd, TextInput } from "@mantine/core";
import { useDebouncedCallback, useHotkeys } from "@mantine/hooks";
import { useRef, useState } from "react";
import { Icon } from "../../../shared/ui/element/icon.tsx";
import { useTexts } from "../texts.ts";

const DEBOUNCE_MS = 200;

interface SessionSearchProps {
  /** Called with the words after typing has paused. */
  readonly search: (words: string) => void;
  /** Leads into the list. */
  readonly onLeave: () => void;
}

/** The search field. It has its own state, so that a key re-renders only the field and not the whole list. */
export function SessionSearch({ search, onLeave }: SessionSearchProps) {
  const { t } = useTexts();
  const [typed, setTyped] = useState("");
  const field = useRef<HTMLInputElement>(null);
  const debouncedSearch = useDebouncedCallback(search, DEBOUNCE_MS);
  useHotkeys([["/", () => field.current?.focus()]]);
  const type = (words: string) => {
    setTyped(words);
    debouncedSearch(words);
  };
  const typedKey = ({ key }: React.KeyboardEvent) => {
    if (key === "Escape") type("");
    if (key === "ArrowDown" || key === "Enter") onLeave();
  };
  return (
    <TextInput
      ref={field}
      type="search"
      value={typed}
      onChange={({ currentTarget }) => type(currentTarget.value)}
      onKeyDown={typedKey}
      placeholder={t("searchShort")}
      aria-label={t("search")}
      leftSection={<Icon name="search" size={16} />}
      rightSection={
        typed === "" && (
          <Kbd size="xs" visibleFrom="sm">
            /
          </Kbd>
        )
      }
      data-testid="session-search"
    />
  );
}

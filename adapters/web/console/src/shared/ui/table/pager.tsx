import { ActionIcon, Group, Text } from "@mantine/core";
import { Icon } from "../element/icon.tsx";

interface PagerProps {
  readonly page: number;
  readonly size: number;
  readonly total: number;
  readonly onPage: (page: number) => void;
  readonly texts: {
    readonly shown: (from: number, to: number, total: number) => string;
    readonly previous: string;
    readonly next: string;
  };
}

/** The position in a long list, with buttons for the next and previous page. */
export function Pager({ page, size, total, onPage, texts }: PagerProps) {
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
            aria-label={texts.previous}
            disabled={page === 0}
            onClick={() => onPage(page - 1)}
          >
            <Icon name="back" size={14} />
          </ActionIcon>
          <ActionIcon
            variant="default"
            size="sm"
            aria-label={texts.next}
            disabled={to >= total}
            onClick={() => onPage(page + 1)}
          >
            <Icon name="next" size={14} />
          </ActionIcon>
        </>
      )}
    </Group>
  );
}

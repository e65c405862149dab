import { ActionIcon, Group, Text } from "@mantine/core";
import { Icon } from "../element/icon.tsx";

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

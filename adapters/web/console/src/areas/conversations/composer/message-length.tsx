import { Text } from "@mantine/core";
import { useTexts } from "../texts.ts";
import composerCss from "./composer.module.css";

/** Maximum message length of the service, in characters. */
export const MAX_LENGTH = 32_000;
const COUNTER_FROM = 2_000;

/** Counts characters like the service: a surrogate pair is one character. */
export function countCharacters(text: string): number {
  let count = text.length;
  for (const _pair of text.matchAll(/[\ud800-\udbff][\udc00-\udfff]/g)) count -= 1;
  return count;
}

interface MessageLengthProps {
  readonly text: string;
  /** An action that helps with a text over the limit. */
  readonly children?: React.ReactNode;
}

/** Renders nothing far from the limit, a counter near it, and above it the reason why the message cannot be sent. */
export function MessageLength({ text, children }: MessageLengthProps) {
  const { t } = useTexts();
  const remainingCount = MAX_LENGTH - countCharacters(text);
  if (remainingCount > COUNTER_FROM) return null;
  if (remainingCount >= 0) {
    return (
      <Text size="xs" c="dimmed" ta="right" data-testid="characters-left">
        {t("charactersLeft", { count: remainingCount })}
      </Text>
    );
  }
  const values = { count: -remainingCount, most: MAX_LENGTH };
  return (
    <div className={composerCss.tooLong} role="alert" data-testid="too-long">
      <Text size="sm">{t(children ? "tooLong" : "tooLongEdit", values)}</Text>
      {children}
    </div>
  );
}

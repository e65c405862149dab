import { Button, Code, CopyButton, Group, Text } from "@mantine/core";
import { useEffect, useSyncExternalStore } from "react";
import { useTexts } from "../../i18n/i18n.ts";
import { Dialog } from "../page/page.tsx";

interface OneTimeSecret {
  readonly title: string;
  readonly hint: string;
  readonly secrets: readonly { readonly label?: string; readonly value: string }[];
}

let current: OneTimeSecret | undefined;
const listeners = new Set<() => void>();

/** Shows secrets that the service returns only once; the dialog stays across navigation until it is closed. */
export function showOneTimeSecret(once: OneTimeSecret | undefined): void {
  current = once;
  for (const listener of listeners) listener();
}

const hide = () => showOneTimeSecret(undefined);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The dialog for one-time secrets. Clicks outside do not close it, since they cannot be shown again; signing out removes it. */
export function OneTimeSecretDialog() {
  const { t } = useTexts();
  const once = useSyncExternalStore(subscribe, () => current);
  useEffect(() => hide, []);
  if (!once) return null;
  return (
    <Dialog opened onClose={hide} title={once.title} size="lg" closeOnClickOutside={false}>
      {once.secrets.map(({ label, value }, index) => (
        <Group key={label ?? ""} align="flex-end" gap="xs" mb="sm">
          <div style={{ flex: "1 1 14rem", minWidth: 0 }}>
            {label && (
              <Text size="sm" fw={600}>
                {label}
              </Text>
            )}
            <Code block style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }} data-testid="secret">
              {value}
            </Code>
          </div>
          <CopyButton value={value}>
            {({ copied, copy }) => (
              <Button variant="light" onClick={copy} data-autofocus={index === 0 || undefined}>
                {t(copied ? "copied" : "copy")}
              </Button>
            )}
          </CopyButton>
        </Group>
      ))}
      <Text size="sm" c="dimmed">
        {once.hint}
      </Text>
      <Group justify="flex-end" mt="md">
        <Button onClick={hide}>{t("close")}</Button>
      </Group>
    </Dialog>
  );
}

import { Alert, Button, Center, Group, Loader, Modal, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { UseQueryResult } from "@tanstack/react-query";
import { useState } from "react";
import { useTexts } from "../i18n.ts";

/** What a query gives, or why not yet. */
export function Loaded<Data>({
  query,
  children,
}: {
  readonly query: UseQueryResult<Data>;
  readonly children: (data: Data) => React.ReactNode;
}) {
  const { t } = useTexts();
  if (query.data !== undefined) return <>{children(query.data)}</>;
  if (query.isError) {
    return (
      <Failure error={query.error}>
        <Button size="xs" variant="light" mt="xs" onClick={() => query.refetch()}>
          {t("retry")}
        </Button>
      </Failure>
    );
  }
  return (
    <Center p="xl">
      <Loader size="sm" aria-label={t("loading")} />
    </Center>
  );
}

export function Failure({ error, children }: { readonly error: unknown; readonly children?: React.ReactNode }) {
  if (!error) return null;
  return (
    <Alert color="red" my="sm" role="alert">
      {(error as Error).message}
      {children}
    </Alert>
  );
}

/** A button that asks before it does what cannot be undone. */
export function ConfirmButton({ label, run }: { readonly label: string; readonly run: () => Promise<unknown> }) {
  const { t } = useTexts();
  const [isOpen, dialog] = useDisclosure(false);
  const [error, setError] = useState<unknown>();
  const confirm = async () => {
    try {
      await run();
      dialog.close();
    } catch (thrown) {
      setError(thrown);
    }
  };
  return (
    <>
      <Button size="compact-sm" variant="subtle" color="red" onClick={dialog.open}>
        {label}
      </Button>
      <Modal opened={isOpen} onClose={dialog.close} title={label} closeButtonProps={{ "aria-label": t("close") }}>
        <Text>{t("confirmRemove")}</Text>
        <Failure error={error} />
        <Group justify="flex-end" mt="md">
          <Button variant="default" onClick={dialog.close}>
            {t("cancel")}
          </Button>
          <Button color="red" onClick={confirm}>
            {label}
          </Button>
        </Group>
      </Modal>
    </>
  );
}

export function timeOf(iso: string | null | undefined, language: string): string {
  return iso ? new Intl.DateTimeFormat(language, { dateStyle: "short", timeStyle: "short" }).format(new Date(iso)) : "";
}

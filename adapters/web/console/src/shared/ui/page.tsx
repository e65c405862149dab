import { Group, Modal, type ModalProps, Text, Title } from "@mantine/core";
import { useTexts } from "../i18n/i18n.ts";

interface PageProps {
  readonly title: string;
  /** A sentence for who is here for the first time. */
  readonly hint?: string | undefined;
  /** For tables. */
  readonly isWide?: boolean;
  /** Buttons beside the title. */
  readonly actions?: React.ReactNode;
  readonly children: React.ReactNode;
}

/** What every managing page is: a title, what can be done, and what there is. */
export function Page({ title, hint, actions, isWide = false, children }: PageProps) {
  return (
    <div className="page" data-wide={isWide}>
      <Group justify="space-between" gap="xs" mb={hint ? "xs" : "md"}>
        <Title order={1} size="h3">
          {title}
        </Title>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
      {hint && (
        <Text size="sm" c="dimmed" maw="46rem" mb="md">
          {hint}
        </Text>
      )}
      {children}
    </div>
  );
}

/** A window over the page, with a way out that is read aloud. */
export function Dialog(props: ModalProps) {
  const { t } = useTexts();
  return <Modal {...props} closeButtonProps={{ "aria-label": t("close") }} />;
}

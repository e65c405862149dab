import { Group, Modal, type ModalProps, Text, Title } from "@mantine/core";
import { useContext } from "react";
import { useTexts } from "../i18n/i18n.ts";
import { AreaHere } from "./area-here.ts";
import { GROUP_TONES, Tile } from "./tile.tsx";

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
      <PageHead title={title} hint={hint} actions={actions} />
      {children}
    </div>
  );
}

/** The title with the drawing of its area in the colour of its group, and what can be done. */
export function PageHead({ title, hint, actions }: Pick<PageProps, "title" | "hint" | "actions">) {
  const here = useContext(AreaHere);
  return (
    <header className="page-head">
      {here && <Tile icon={here.icon} tone={GROUP_TONES[here.group]} />}
      <div className="page-title">
        <Title order={1} size="h2">
          {title}
        </Title>
        {hint && (
          <Text size="sm" c="dimmed" maw="46rem">
            {hint}
          </Text>
        )}
      </div>
      {actions && <Group gap="xs">{actions}</Group>}
    </header>
  );
}

/** A window over the page, with a way out that is read aloud. */
export function Dialog(props: ModalProps) {
  const { t } = useTexts();
  return <Modal {...props} closeButtonProps={{ "aria-label": t("close") }} />;
}

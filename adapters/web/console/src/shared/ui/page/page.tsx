import { ActionIcon, Group, Modal, type ModalProps, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Link } from "@tanstack/react-router";
import { useContext, useRef, useState } from "react";
import { useTexts } from "../../i18n/i18n.ts";
import { Icon } from "../element/icon.tsx";
import { GROUP_TONES, Tile } from "../element/tile.tsx";
import { CloseDialogContext } from "../form/cancel-button.tsx";
import { LeaveDialog } from "../form/leave-dialog.tsx";
import { FormDialogContext } from "../form/unsaved-guard.tsx";
import pageCss from "./page.module.css";
import { LocationContext } from "./page-location.ts";
import { useCanChange } from "./permissions.tsx";
import { RestoreFocus } from "./restore-focus.tsx";
import { usePageTitle } from "./use-page-title.ts";

interface BackLink {
  /** Path, or a callback for a view without one. */
  readonly to: string | (() => void);
  readonly label: string;
}

interface PageProps {
  readonly title: string;
  /** A sentence for first-time users. */
  readonly hint?: string | undefined;
  readonly back?: BackLink | undefined;
  /** True for pages with tables. */
  readonly isWide?: boolean;
  /** True where the page is about the users' own data, so that read-only users get no notice. */
  readonly isOwn?: boolean;
  /** Buttons beside the title; hidden without permission. */
  readonly actions?: React.ReactNode;
  readonly children: React.ReactNode;
}

/** The layout of a management page: title, actions and content. */
export function Page({ title, hint, back, actions, isWide = false, isOwn = false, children }: PageProps) {
  const { t } = useTexts();
  const canChange = useCanChange();
  return (
    <div className={pageCss.page} data-wide={isWide}>
      <PageHead title={title} hint={hint} back={back} actions={canChange && actions} />
      {!canChange && !isOwn && (
        <Text size="sm" c="dimmed" mb="md" data-testid="read-only-notice">
          {t("readOnly")}
        </Text>
      )}
      {children}
    </div>
  );
}

/** The title with the icon and colour of its area, and the actions. */
export function PageHead({ title, hint, back, actions }: Pick<PageProps, "title" | "hint" | "back" | "actions">) {
  const { path, findArea } = useContext(LocationContext);
  // The address changes before the next page is loaded: a page shows the icon of the address it was opened at.
  const [openedAt] = useState(path);
  const area = findArea(openedAt);
  usePageTitle(title);
  return (
    <header className={pageCss.pageHead}>
      {back && (
        <ActionIcon
          {...(typeof back.to === "string" ? { component: Link, to: back.to } : { onClick: back.to })}
          variant="subtle"
          color="gray"
          aria-label={back.label}
          title={back.label}
          data-testid="back"
        >
          <Icon name="back" />
        </ActionIcon>
      )}
      {area && <Tile icon={area.icon} tone={GROUP_TONES[area.group]} />}
      <div className={pageCss.pageTitle}>
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

// The dots of a menu item announce a dialog, so the title of the dialog has none.
const toDialogTitle = (title: React.ReactNode) => (typeof title === "string" ? title.replace(/…$/, "") : title);

/** A modal dialog with an accessible close button; asks before unsaved changes of its form are lost. */
export function Dialog(props: ModalProps) {
  const { t } = useTexts();
  const isChanged = useRef(false);
  const [isAsking, question] = useDisclosure(false);
  const [setUnsaved] = useState(() => (isNow: boolean) => {
    isChanged.current = isNow;
    // A save that leaves nothing unsaved answers the question.
    if (!isNow) question.close();
  });
  const close = () => (isChanged.current ? question.open() : props.onClose());
  const leave = () => {
    question.close();
    props.onClose();
  };
  return (
    <>
      <Modal
        {...props}
        title={toDialogTitle(props.title)}
        onClose={close}
        closeButtonProps={{ "aria-label": t("close") }}
      >
        <RestoreFocus />
        <CloseDialogContext value={close}>
          <FormDialogContext value={{ setUnsaved, isOpen: props.opened }}>{props.children}</FormDialogContext>
        </CloseDialogContext>
      </Modal>
      <LeaveDialog isOpen={isAsking} leave={leave} stay={question.close} />
    </>
  );
}

import { Badge, Checkbox, Group, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { Shapes } from "../../../shared/api/client.ts";
import { formatShortTime } from "../../../shared/ui/common.tsx";
import { Icon } from "../../../shared/ui/element/icon.tsx";
import { Portrait } from "../../../shared/ui/element/portrait.tsx";
import { PlatformMark } from "../../../shared/ui/element/tile.tsx";
import { useSessionName } from "../../../shared/ui/text/use-session-name.ts";
import { toPlainPreview } from "../markdown/plain-text.ts";
import { useTexts } from "../texts.ts";
import { useChannelTarget } from "../thread/channel-target.ts";
import { DeliveryFailureDot } from "../thread/delivery-failures.tsx";
import sessionListCss from "./session-list.module.css";

interface SessionRowProps {
  readonly session: Shapes["SessionItem"];
  readonly isCurrent: boolean;
  readonly isUnread: boolean;
  readonly hasDraft: boolean;
  /** True when it has failed deliveries. */
  readonly isUndelivered: boolean;
  /** Set while several conversations are being selected. */
  readonly selection: { readonly isSelected: boolean; readonly toggle: (id: string) => void } | undefined;
}

export function SessionRow({ session, isCurrent, isUnread, hasDraft, isUndelivered, selection }: SessionRowProps) {
  const { t, language } = useTexts();
  const name = useSessionName()(session);
  const { id, favorite, running, last_message, last_message_at, created_at, tags, folder = "", taken_over } = session;
  const target = useChannelTarget(session);
  const content = (
    <>
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Text size="sm" fw={isUnread ? 800 : 600} truncate title={name} dir="auto">
          {name}
        </Text>
        <Group gap={4} wrap="nowrap" c="dimmed">
          {isUndelivered && <DeliveryFailureDot />}
          {isUnread && (
            <span
              className={sessionListCss.unread}
              role="img"
              aria-label={t("unread")}
              title={t("unread")}
              data-testid="unread"
            />
          )}
          {favorite && <Icon name="star" size={13} filled />}
          <Text size="xs" style={{ whiteSpace: "nowrap" }}>
            {formatShortTime(last_message_at ?? created_at, language)}
          </Text>
        </Group>
      </Group>
      <Group gap={6} wrap="nowrap">
        {target && (
          <Badge size="xs" variant="light" color="gray" className={sessionListCss.place} data-testid="channel-badge">
            {target.isGroup ? `${target.channel} · ${t("group")}` : target.channel}
          </Badge>
        )}
        {taken_over && (
          <Badge size="xs" color="yellow" variant="light" c="var(--mantine-color-text)" flex="none">
            {t("takenOverShort")}
          </Badge>
        )}
        {hasDraft && (
          <Text size="xs" fw={650} className={sessionListCss.draftMark} data-testid="draft-mark">
            {t("draft")}
          </Text>
        )}
        {folder !== "" && (
          <Badge
            size="xs"
            variant="default"
            className={sessionListCss.place}
            leftSection={<Icon name="folder" size={11} />}
          >
            {folder}
          </Badge>
        )}
        {tags.slice(0, 2).map((tag) => (
          <Badge key={tag} size="xs" variant="default" className={sessionListCss.place}>
            {tag}
          </Badge>
        ))}
        <Text size="xs" c="dimmed" truncate className={sessionListCss.preview} dir="auto">
          {toPlainPreview(last_message?.preview ?? "")}
        </Text>
      </Group>
    </>
  );
  if (selection) {
    return (
      <div className={`${sessionListCss.session} ${sessionListCss.choosing}`} data-testid="session-item">
        <Checkbox size="xs" checked={selection.isSelected} onChange={() => selection.toggle(id)} label={content} />
      </div>
    );
  }
  return (
    <Link
      to="/sessions/$sessionId"
      params={{ sessionId: id }}
      className={sessionListCss.session}
      data-testid="session-item"
      aria-current={isCurrent ? "page" : undefined}
    >
      <span className={sessionListCss.face}>
        {target ? (
          <PlatformMark type={target.platform} />
        ) : (
          <Portrait
            name={session.sender_name || name}
            url={session.sender_avatar || session.sender_portrait || ""}
            kind="face"
          />
        )}
        {running && (
          <span className={sessionListCss.live} role="img" aria-label={t("answeringNow")} title={t("answeringNow")} />
        )}
      </span>
      <div style={{ minWidth: 0 }}>{content}</div>
    </Link>
  );
}

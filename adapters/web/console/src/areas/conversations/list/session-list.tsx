import { Button, Group, SegmentedControl, Stack } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useNavigate } from "@tanstack/react-router";
import { useCallback, useMemo, useRef, useState } from "react";
import { parley, type Shapes } from "../../../shared/api/client.ts";
import { useHasScope } from "../../../shared/api/console.ts";
import { getServiceTime } from "../../../shared/api/service-clock.ts";
import textCss from "../../../shared/styles/text.module.css";
import { toggle } from "../../../shared/toggle.ts";
import { Loaded } from "../../../shared/ui/common.tsx";
import { Icon } from "../../../shared/ui/element/icon.tsx";
import { IconButton } from "../../../shared/ui/element/icon-button.tsx";
import { Empty } from "../../../shared/ui/page/empty.tsx";
import { LoadMore } from "../../../shared/ui/table/load-more.tsx";
import { usePagedList } from "../../../shared/ui/table/use-paged-list.ts";
import { VirtualBlockList } from "../../../shared/ui/table/virtual-blocks.tsx";
import { useDraftNames } from "../composer/draft-marks.ts";
import { MobileHeader } from "../mobile-header.tsx";
import { useTexts } from "../texts.ts";
import { useSessionsWithDeliveryFailures } from "../thread/delivery-failures.tsx";
import { usePendingDeletions } from "../thread/pending-deletion.ts";
import { BulkBar } from "./bulk-bar.tsx";
import { ChannelFilter } from "./channel-filter.tsx";
import { FolderFilter } from "./folders.tsx";
import { ImportSessions } from "./import-sessions.tsx";
import { MessageSearchResults, useMessageSearch } from "./message-search.tsx";
import { SavedMessagesDialog } from "./saved-messages.tsx";
import { collectTags, groupByTime, type ListLine } from "./session-groups.ts";
import sessionListCss from "./session-list.module.css";
import { SessionRow } from "./session-row.tsx";
import { SessionSearch } from "./session-search.tsx";
import { useIsUnread } from "./unread.ts";
import { compareSessions, SESSION_LIST, useFreshSessions } from "./use-fresh-sessions.ts";

const POLL_MS = 20_000;
const ROW_HEIGHT_PX = 54;
const MAX_TAGS = 12;

type Filter = "all" | "favorites" | "archived";
type SessionRowData = Shapes["SessionItem"];

interface SessionListProps {
  readonly current: string | undefined;
  /** True on a phone, where the list is the whole screen below a header that scrolls with it. */
  readonly isFullScreen: boolean;
}

export function SessionList({ current, isFullScreen }: SessionListProps) {
  const { t } = useTexts();
  const [filter, setFilter] = useState<Filter>("all");
  const [channelId, setChannelId] = useState("");
  const [q, setQ] = useState("");
  const [tag, setTag] = useState<string>();
  const [folder, setFolder] = useState("");
  const [isShowingSaved, savedDialog] = useDisclosure(false);
  const [selected, setSelected] = useState<ReadonlySet<string>>();
  const items = useRef<HTMLElement>(null);
  const canChat = useHasScope("chat");
  const filters = {
    ...(q !== "" && { q }),
    ...(tag !== undefined && { tag }),
    ...(folder !== "" && { folder }),
    ...(filter === "archived" && { archived: "true" as const }),
    ...(filter === "favorites" && { favorite: true }),
    ...(channelId !== "" && { channel_id: channelId }),
  };
  useFreshSessions();
  const sessions = usePagedList<SessionRowData>({
    queryKey: [...SESSION_LIST, filters],
    read: ({ limit }, cursor, signal) =>
      parley.get("/api/sessions", { query: { ...filters, limit, ...(cursor !== "" && { cursor }) }, signal }),
    getId: ({ id }) => id,
    refetchMs: POLL_MS,
    compare: compareSessions,
  });
  const messageSearch = useMessageSearch(q.trim(), filter === "archived" ? "true" : "false");
  const hiddenIds = usePendingDeletions();
  const visibleSessions = useMemo(
    () => sessions.data?.items.filter(({ id }) => !hiddenIds.has(id)) ?? [],
    [sessions.data, hiddenIds],
  );
  const tags = useMemo(() => collectTags(visibleSessions), [visibleSessions]);
  return (
    <div className={sessionListCss.list} data-home={isFullScreen} data-scrolls={isFullScreen ? "" : undefined}>
      <h1 className={`${sessionListCss.listTitle} ${textCss.visuallyHidden}`}>{t("conversations")}</h1>
      {isFullScreen && <MobileHeader />}
      <Stack gap="xs" p="sm" pb={6} className={sessionListCss.listHead}>
        {canChat && <NewSessionButton />}
        <SessionSearch search={setQ} onLeave={() => items.current?.querySelector("a")?.focus()} />
        <Group gap={4} wrap="nowrap">
          <SegmentedControl
            size="xs"
            style={{ flex: 1 }}
            // Saves width: the column may be narrow.
            styles={{ label: { paddingInline: "0.3rem" } }}
            aria-label={t("show")}
            value={filter}
            onChange={setFilter}
            data={(["all", "favorites", "archived"] as const).map((value) => ({ value, label: t(value) }))}
          />
          <IconButton
            icon="task"
            label={t("selectSeveral")}
            isPressed={selected !== undefined}
            testId="select-several"
            onClick={() => setSelected((now) => (now ? undefined : new Set()))}
          />
          <IconButton icon="book" label={t("starredMessages")} testId="starred-messages" onClick={savedDialog.open} />
        </Group>
        <ChannelFilter channelId={channelId} onSelect={setChannelId} />
        <FolderFilter folder={folder} onSelect={setFolder} />
        {(tags.length > 0 || tag !== undefined) && <TagFilter tags={tags} tag={tag} onSelect={setTag} />}
      </Stack>
      {selected && (
        <BulkBar
          selected={visibleSessions.filter(({ id }) => selected.has(id))}
          onDone={() => setSelected(undefined)}
        />
      )}
      <nav
        className={sessionListCss.items}
        aria-label={t("conversations")}
        ref={items}
        onKeyDown={focusAdjacentSession}
        data-scrolls={isFullScreen ? undefined : ""}
      >
        <Loaded query={sessions}>
          {() => (
            <>
              {visibleSessions.length === 0 && !messageSearch.hasResults && (
                <Empty icon={q ? "search" : "chat"} title={t(q ? "nothingFound" : "noSessions")} isSmall />
              )}
              <SessionRows rows={visibleSessions} current={current} selected={selected} setSelected={setSelected} />
              <LoadMore list={sessions} isEndless />
            </>
          )}
        </Loaded>
        <MessageSearchResults q={messageSearch.q} results={messageSearch.results} />
      </nav>
      {canChat && <ImportSessions />}
      {isShowingSaved && <SavedMessagesDialog close={savedDialog.close} />}
    </div>
  );
}

interface SessionRowsProps {
  readonly rows: readonly SessionRowData[];
  readonly current: string | undefined;
  readonly selected: ReadonlySet<string> | undefined;
  readonly setSelected: React.Dispatch<React.SetStateAction<ReadonlySet<string> | undefined>>;
}

function SessionRows({ rows, current, selected, setSelected }: SessionRowsProps) {
  const { t } = useTexts();
  const isUnread = useIsUnread();
  const drafts = useDraftNames();
  const undelivered = useSessionsWithDeliveryFailures();
  const today = new Date(getServiceTime()).toDateString();
  const lines = useMemo(() => groupByTime(rows, new Date(getServiceTime())), [rows, today]);
  const toggleSelected = useCallback((id: string) => setSelected((now) => now && toggle(now, id)), [setSelected]);
  const renderLine = (line: ListLine) =>
    "heading" in line ? (
      <h2 key={line.heading} className={sessionListCss.listHeading}>
        {t(line.heading)}
      </h2>
    ) : (
      <SessionRow
        key={line.session.id}
        session={line.session}
        isCurrent={line.session.id === current}
        isUnread={line.session.id !== current && isUnread(line.session)}
        hasDraft={line.session.id !== current && drafts.has(line.session.id)}
        isUndelivered={undelivered.has(line.session.id)}
        selection={selected && { isSelected: selected.has(line.session.id), toggle: toggleSelected }}
      />
    );
  const isCurrent = (line: ListLine) => "session" in line && line.session.id === current;
  return (
    <VirtualBlockList rows={lines} rowHeight={ROW_HEIGHT_PX} renderRow={renderLine} isAlwaysRendered={isCurrent} />
  );
}

interface TagFilterProps {
  readonly tags: readonly string[];
  readonly tag: string | undefined;
  readonly onSelect: (tag: string | undefined) => void;
}

function TagFilter({ tags, tag, onSelect }: TagFilterProps) {
  const { t } = useTexts();
  const shownTags = tag === undefined || tags.includes(tag) ? tags : [tag, ...tags];
  return (
    <fieldset className={sessionListCss.tagFilter} aria-label={t("tags")}>
      {shownTags.slice(0, MAX_TAGS).map((one) => (
        <Button
          key={one}
          size="compact-xs"
          variant={one === tag ? "filled" : "default"}
          aria-pressed={one === tag}
          onClick={() => onSelect(one === tag ? undefined : one)}
          data-testid="tag-filter"
        >
          {one}
        </Button>
      ))}
    </fieldset>
  );
}

function NewSessionButton() {
  const { t } = useTexts();
  const navigate = useNavigate();
  return (
    <Button
      className={sessionListCss.newSession}
      leftSection={<Icon name="plus" size={16} />}
      onClick={() => void navigate({ to: "/sessions/$sessionId", params: { sessionId: "new" } })}
      data-testid="new-session"
    >
      {t("newSession")}
    </Button>
  );
}

/** Moves the focus to the next or previous conversation with the arrow keys. */
function focusAdjacentSession(event: React.KeyboardEvent<HTMLElement>): void {
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  event.preventDefault();
  const links = [...event.currentTarget.querySelectorAll("a")];
  const at = links.findIndex((link) => link.matches(":focus"));
  links[at + (event.key === "ArrowDown" ? 1 : -1)]?.focus();
}

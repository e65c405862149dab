import { Button, Group, SegmentedControl, Stack } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useNavigate } from "@tanstack/react-router";
import { useCallback, useMemo, useRef, useState } from "react";
import { query, type Shapes } from "../../shared/api/client.ts";
import { useMay } from "../../shared/api/console.ts";
import { serviceNow } from "../../shared/api/service-clock.ts";
import textCss from "../../shared/styles/text.module.css";
import { BlockRows } from "../../shared/ui/blocks.tsx";
import { Loaded } from "../../shared/ui/common.tsx";
import { Empty } from "../../shared/ui/empty.tsx";
import { Icon } from "../../shared/ui/icon.tsx";
import { IconButton } from "../../shared/ui/icon-button.tsx";
import { MoreRows, usePages } from "../../shared/ui/pages.tsx";
import { BulkBar } from "./bulk-bar.tsx";
import { ChannelFilter } from "./channel-filter.tsx";
import { useDoomed } from "./doomed.ts";
import { useDraftNames } from "./draft-marks.ts";
import { FolderFilter } from "./folders.tsx";
import { FoundMessages, useFoundMessages } from "./found-messages.tsx";
import { SESSION_LIST, sessionOrder, useFreshRows } from "./fresh-rows.ts";
import { ImportSessions } from "./import-sessions.tsx";
import { KeptMessages } from "./kept-messages.tsx";
import { PhoneHome } from "./phone-home.tsx";
import { groupedByTime, type ListLine, tagsIn } from "./session-groups.ts";
import sessionListCss from "./session-list.module.css";
import { SessionRow } from "./session-row.tsx";
import { SessionSearch } from "./session-search.tsx";
import { useTexts } from "./texts.ts";
import { useUndeliveredSessions } from "./undelivered.tsx";
import { useIsUnread } from "./unread.ts";

const OFTEN = 20_000;
const ROW_HEIGHT = 54;
const MOST_TAGS = 12;

type Filter = "all" | "favorites" | "archived";
type Shown = Shapes["SessionItem"];

interface SessionListProps {
  readonly current: string | undefined;
  /** It is all that the screen shows: what one comes in for stands above it, and all of it scrolls. */
  readonly isHome: boolean;
}

export function SessionList({ current, isHome }: SessionListProps) {
  const { t } = useTexts();
  const [filter, setFilter] = useState<Filter>("all");
  const [channelId, setChannelId] = useState("");
  const [q, setQ] = useState("");
  const [tag, setTag] = useState<string>();
  const [folder, setFolder] = useState("");
  const [isKept, kept] = useDisclosure(false);
  const [chosen, setChosen] = useState<ReadonlySet<string>>();
  const items = useRef<HTMLElement>(null);
  const mayChat = useMay("chat");
  const asked = query({
    q,
    tag,
    folder,
    ...(filter === "archived" && { archived: "true" }),
    ...(filter === "favorites" && { favorite: true }),
    ...(channelId !== "" && { channel_id: channelId }),
  });
  useFreshRows();
  const sessions = usePages<Shown>([...SESSION_LIST, asked], `/api/sessions?${asked}`, OFTEN, sessionOrder);
  const said = useFoundMessages(q.trim(), filter === "archived" ? "true" : "false");
  const doomed = useDoomed();
  const found = useMemo(() => sessions.data?.items.filter(({ id }) => !doomed.has(id)) ?? [], [sessions.data, doomed]);
  const tags = useMemo(() => tagsIn(found), [found]);
  return (
    <div className={sessionListCss.list} data-home={isHome} data-scrolls={isHome ? "" : undefined}>
      <h1 className={`${sessionListCss.listTitle} ${textCss.unseen}`}>{t("conversations")}</h1>
      {isHome && <PhoneHome />}
      <Stack gap="xs" p="sm" pb={6} className={sessionListCss.listHead}>
        {mayChat && <NewSession />}
        <SessionSearch search={setQ} leave={() => items.current?.querySelector("a")?.focus()} />
        <Group gap={4} wrap="nowrap">
          <SegmentedControl
            size="xs"
            style={{ flex: 1 }}
            // The column may be narrow.
            styles={{ label: { paddingInline: "0.3rem" } }}
            aria-label={t("show")}
            value={filter}
            onChange={(value) => setFilter(value as Filter)}
            data={(["all", "favorites", "archived"] as const).map((value) => ({ value, label: t(value) }))}
          />
          <IconButton
            icon="task"
            label={t("chooseSeveral")}
            isPressed={chosen !== undefined}
            testId="choose-several"
            onClick={() => setChosen((now) => (now ? undefined : new Set()))}
          />
          <IconButton icon="book" label={t("keptMessages")} testId="kept-messages" onClick={kept.open} />
        </Group>
        <ChannelFilter channelId={channelId} choose={setChannelId} />
        <FolderFilter folder={folder} choose={setFolder} />
        {(tags.length > 0 || tag !== undefined) && <TagFilter tags={tags} tag={tag} choose={setTag} />}
      </Stack>
      {chosen && <BulkBar chosen={found.filter(({ id }) => chosen.has(id))} done={() => setChosen(undefined)} />}
      <nav
        className={sessionListCss.items}
        aria-label={t("conversations")}
        ref={items}
        onKeyDown={moveFocus}
        data-scrolls={isHome ? undefined : ""}
      >
        <Loaded query={sessions}>
          {() => (
            <>
              {found.length === 0 && !said.isFound && (
                <Empty icon={q ? "search" : "chat"} title={t(q ? "nothingFound" : "noSessions")} isSmall />
              )}
              <Lines rows={found} current={current} chosen={chosen} setChosen={setChosen} />
              <MoreRows pages={sessions} />
            </>
          )}
        </Loaded>
        <FoundMessages q={said.q} found={said.found} />
      </nav>
      {mayChat && <ImportSessions />}
      {isKept && <KeptMessages close={kept.close} />}
    </div>
  );
}

interface LinesProps {
  readonly rows: readonly Shown[];
  readonly current: string | undefined;
  readonly chosen: ReadonlySet<string> | undefined;
  readonly setChosen: React.Dispatch<React.SetStateAction<ReadonlySet<string> | undefined>>;
}

function Lines({ rows, current, chosen, setChosen }: LinesProps) {
  const { t } = useTexts();
  const isUnread = useIsUnread();
  const drafts = useDraftNames();
  const undelivered = useUndeliveredSessions();
  const today = new Date(serviceNow()).toDateString();
  const lines = useMemo(() => groupedByTime(rows, new Date(serviceNow())), [rows, today]);
  const toggle = useCallback(
    (id: string) =>
      setChosen((now) => now && (now.has(id) ? new Set([...now].filter((one) => one !== id)) : new Set([...now, id]))),
    [setChosen],
  );
  const draw = (line: ListLine) =>
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
        choice={chosen && { isChosen: chosen.has(line.session.id), toggle }}
      />
    );
  const isCurrent = (line: ListLine) => "session" in line && line.session.id === current;
  return <BlockRows rows={lines} rowHeight={ROW_HEIGHT} draw={draw} keeps={isCurrent} />;
}

interface TagFilterProps {
  readonly tags: readonly string[];
  readonly tag: string | undefined;
  readonly choose: (tag: string | undefined) => void;
}

function TagFilter({ tags, tag, choose }: TagFilterProps) {
  const { t } = useTexts();
  const shown = tag === undefined || tags.includes(tag) ? tags : [tag, ...tags];
  return (
    <fieldset className={sessionListCss.tagFilter} aria-label={t("tags")}>
      {shown.slice(0, MOST_TAGS).map((one) => (
        <Button
          key={one}
          size="compact-xs"
          variant={one === tag ? "filled" : "default"}
          aria-pressed={one === tag}
          onClick={() => choose(one === tag ? undefined : one)}
          data-testid="tag-filter"
        >
          {one}
        </Button>
      ))}
    </fieldset>
  );
}

function NewSession() {
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

/** The arrow keys go from one conversation to the next. */
function moveFocus(event: React.KeyboardEvent<HTMLElement>): void {
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  event.preventDefault();
  const links = [...event.currentTarget.querySelectorAll("a")];
  const at = links.indexOf(document.activeElement as HTMLAnchorElement);
  links[at + (event.key === "ArrowDown" ? 1 : -1)]?.focus();
}

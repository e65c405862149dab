import { Alert, Badge, Button, FileButton, Group, Kbd, SegmentedControl, Stack, Text, TextInput } from "@mantine/core";
import { useDebouncedValue, useHotkeys } from "@mantine/hooks";
import type { DataOf } from "@parley/client";
import { Link, useNavigate } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { api, parley, query, type Shapes } from "../../shared/api/client.ts";
import { Failure, Loaded, shortTimeOf, useTried } from "../../shared/ui/common.tsx";
import { Icon } from "../../shared/ui/icon.tsx";
import { MoreRows, usePages } from "../../shared/ui/pages.tsx";
import { ChannelFilter } from "./channel-filter.tsx";
import { usePlace } from "./channel-place.ts";
import { SESSION_LIST, sessionOrder, useFreshRows } from "./fresh-rows.ts";
import { useTexts } from "./texts.ts";

const OFTEN = 20_000;
const CHANGED = [["session"]] as const;

type Filter = "all" | "favorites" | "archived";
type Shown = Shapes["SessionItem"];
type Imported = DataOf<"post", "/api/sessions/import">;

export function SessionList({ current }: { readonly current: string | undefined }) {
  const { t } = useTexts();
  const [filter, setFilter] = useState<Filter>("all");
  const [channelId, setChannelId] = useState("");
  const [typed, setTyped] = useState("");
  const [q] = useDebouncedValue(typed, 200);
  const search = useRef<HTMLInputElement>(null);
  const items = useRef<HTMLElement>(null);
  useHotkeys([["/", () => search.current?.focus()]]);
  const asked = query({
    q,
    ...(filter === "archived" && { archived: "true" }),
    ...(filter === "favorites" && { favorite: true }),
    ...(channelId !== "" && { channel_id: channelId }),
  });
  useFreshRows();
  const sessions = usePages<Shown>([...SESSION_LIST, asked], `/api/sessions?${asked}`, OFTEN, sessionOrder);
  const typedKey = ({ key }: React.KeyboardEvent) => {
    if (key === "Escape") setTyped("");
    if (key === "ArrowDown" || key === "Enter") items.current?.querySelector("a")?.focus();
  };

  return (
    <div className="list">
      <Stack gap="xs" p="sm" pb={6}>
        <NewSession />
        <TextInput
          ref={search}
          type="search"
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          onKeyDown={typedKey}
          placeholder={t("searchShort")}
          aria-label={t("search")}
          leftSection={<Icon name="search" size={16} />}
          rightSection={
            typed === "" && (
              <Kbd size="xs" visibleFrom="sm">
                /
              </Kbd>
            )
          }
          data-testid="session-search"
        />
        <SegmentedControl
          size="xs"
          aria-label={t("show")}
          value={filter}
          onChange={(value) => setFilter(value as Filter)}
          data={(["all", "favorites", "archived"] as const).map((value) => ({ value, label: t(value) }))}
        />
        <ChannelFilter channelId={channelId} choose={setChannelId} />
      </Stack>
      <nav className="items" aria-label={t("conversations")} ref={items} onKeyDown={moveFocus}>
        <Loaded query={sessions}>
          {({ items: found }) => (
            <>
              {found.length === 0 && (
                <Text size="sm" c="dimmed" p="sm">
                  {t(q ? "nothingFound" : "noSessions")}
                </Text>
              )}
              {found.map((session) => (
                <Row key={session.id} session={session} isCurrent={session.id === current} />
              ))}
              <MoreRows pages={sessions} />
            </>
          )}
        </Loaded>
      </nav>
      <Import />
    </div>
  );
}

function NewSession() {
  const { t } = useTexts();
  const navigate = useNavigate();
  const { tried, isBusy, error } = useTried(CHANGED);
  const create = tried(async () => {
    const { id } = await parley.post("/api/sessions");
    await navigate({ to: "/sessions/$sessionId", params: { sessionId: id } });
  });
  return (
    <>
      <Button leftSection={<Icon name="plus" size={16} />} onClick={create} loading={isBusy} data-testid="new-session">
        {t("newSession")}
      </Button>
      <Failure error={error} />
    </>
  );
}

function Row({ session, isCurrent }: { readonly session: Shown; readonly isCurrent: boolean }) {
  const { t, language } = useTexts();
  const { id, name, favorite, running, last_message, last_message_at, created_at, taken_over } = session;
  const place = usePlace(session);
  return (
    <Link
      to="/sessions/$sessionId"
      params={{ sessionId: id }}
      className="session"
      data-testid="session-item"
      aria-current={isCurrent ? "page" : undefined}
    >
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Text size="sm" fw={600} truncate title={name}>
          {name}
        </Text>
        <Group gap={4} wrap="nowrap" c="dimmed">
          {running && <span className="live" role="img" aria-label={t("answeringNow")} title={t("answeringNow")} />}
          {favorite && <Icon name="star" size={13} filled />}
          <Text size="xs" style={{ whiteSpace: "nowrap" }}>
            {shortTimeOf(last_message_at ?? created_at, language)}
          </Text>
        </Group>
      </Group>
      <Group gap={6} wrap="nowrap">
        {place && (
          <Badge
            size="xs"
            variant="light"
            color="orange"
            c="var(--mantine-color-text)"
            className="place"
            leftSection={<Icon name="channel" size={10} />}
            data-testid="channel-badge"
          >
            {place.isGroup ? `${place.channel} · ${t("group")}` : place.channel}
          </Badge>
        )}
        {taken_over && (
          <Badge size="xs" color="yellow" variant="light" c="var(--mantine-color-text)" flex="none">
            {t("takenOverShort")}
          </Badge>
        )}
        <Text size="xs" c="dimmed" truncate className="preview">
          {last_message?.preview ?? ""}
        </Text>
      </Group>
    </Link>
  );
}

function Import() {
  const { t } = useTexts();
  const { tried, isBusy, error } = useTried(CHANGED);
  const [done, setDone] = useState<Imported>();
  const take = (file: File | null) =>
    tried(async () => {
      setDone(undefined);
      if (!file) return;
      const form = new FormData();
      form.set("file", file);
      setDone(await api.post<Imported>("/api/sessions/import", form));
    })();
  return (
    <Stack gap={4} p="xs" pl="sm" style={{ borderTop: "var(--line)" }}>
      <Group gap="xs">
        <FileButton onChange={take} accept="application/json">
          {(props) => (
            <Button size="compact-sm" variant="subtle" color="gray" loading={isBusy} {...props}>
              {t("import")}
            </Button>
          )}
        </FileButton>
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          component="a"
          href="/api/sessions/export?download=true"
          download
        >
          {t("exportAll")}
        </Button>
      </Group>
      {done && (
        <Alert
          color={done.failed > 0 ? "yellow" : "parley"}
          py={4}
          role="status"
          withCloseButton
          closeButtonLabel={t("close")}
          onClose={() => setDone(undefined)}
        >
          {`${t("imported")}: ${done.imported}`}
          {done.failed > 0 && `, ${t("notImported")}: ${done.failed} (${done.errors[0]?.error ?? ""})`}
        </Alert>
      )}
      <Failure error={error} />
    </Stack>
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

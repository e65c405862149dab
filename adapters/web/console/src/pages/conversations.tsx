import { Button, FileButton, Group, SegmentedControl, Stack, Text, TextInput } from "@mantine/core";
import { useDebouncedValue, useHotkeys } from "@mantine/hooks";
import type { Session } from "@parley/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { api, type Listed, query } from "../api/client.ts";
import { useTexts } from "../i18n.ts";
import { Chat } from "../parts/chat.tsx";
import { Failure, Loaded, timeOf } from "../parts/common.tsx";

type Filter = "all" | "favorites" | "archived";
type Shown = Pick<Session, "id" | "name" | "favorite" | "last_message" | "last_message_at" | "created_at">;

export function ConversationsPage() {
  const { t } = useTexts();
  const { sessionId } = useParams({ strict: false }) as { sessionId?: string };
  return (
    <div className="split" data-chat={sessionId !== undefined}>
      <SessionList current={sessionId} />
      <section className="detail" style={{ minHeight: 0 }} aria-label={t("conversations")}>
        {sessionId ? (
          <Chat key={sessionId} sessionId={sessionId} />
        ) : (
          <Text p="xl" c="dimmed">
            {t("pickSession")}
          </Text>
        )}
      </section>
    </div>
  );
}

function SessionList({ current }: { readonly current: string | undefined }) {
  const { t, language } = useTexts();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [filter, setFilter] = useState<Filter>("all");
  const [typed, setTyped] = useState("");
  const [q] = useDebouncedValue(typed, 200);
  const [error, setError] = useState<unknown>();
  const search = useRef<HTMLInputElement>(null);
  useHotkeys([["mod+K", () => search.current?.focus()]], []);
  const asked = query({
    q,
    limit: 100,
    ...(filter === "archived" && { archived: "true" }),
    ...(filter === "favorites" && { favorite: true }),
  });
  const sessions = useQuery({
    queryKey: ["session", asked],
    queryFn: () => api.get<Listed<Shown>>(`/api/sessions?${asked}`),
  });
  const tried = async (work: () => Promise<void>) => {
    try {
      setError(undefined);
      await work();
    } catch (thrown) {
      setError(thrown);
    }
  };
  const create = () =>
    tried(async () => {
      const { id } = await api.post<Shown>("/api/sessions");
      await queries.invalidateQueries({ queryKey: ["session"] });
      await navigate({ to: "/sessions/$sessionId", params: { sessionId: id } });
    });
  const importFile = (file: File | null) =>
    tried(async () => {
      if (!file) return;
      const form = new FormData();
      form.set("file", file);
      await api.post("/api/sessions/import", form);
      await queries.invalidateQueries({ queryKey: ["session"] });
    });

  return (
    <div className="list">
      <Stack gap="xs" p="sm">
        <Button onClick={create} data-testid="new-session">
          {t("newSession")}
        </Button>
        <TextInput
          ref={search}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          placeholder={t("search")}
          aria-label={t("search")}
          data-testid="session-search"
          onKeyDown={({ key }) => key === "Escape" && setTyped("")}
        />
        <SegmentedControl
          size="xs"
          value={filter}
          onChange={(value) => setFilter(value as Filter)}
          data={(["all", "favorites", "archived"] as const).map((value) => ({ value, label: t(value) }))}
        />
        <Failure error={error} />
      </Stack>
      <nav className="items" aria-label={t("conversations")}>
        <Loaded query={sessions}>
          {({ items }) =>
            items.length === 0 ? (
              <Text size="sm" c="dimmed" p="sm">
                {t("noSessions")}
              </Text>
            ) : (
              items.map((session) => (
                <Link
                  key={session.id}
                  to="/sessions/$sessionId"
                  params={{ sessionId: session.id }}
                  className="session"
                  data-testid="session-item"
                  aria-current={session.id === current ? "page" : undefined}
                >
                  <Group justify="space-between" wrap="nowrap" gap="xs">
                    <Text size="sm" fw={600} truncate>
                      {session.favorite && <span aria-hidden>★ </span>}
                      {session.name}
                    </Text>
                    <Text size="xs" c="dimmed" style={{ whiteSpace: "nowrap" }}>
                      {timeOf(session.last_message_at ?? session.created_at, language)}
                    </Text>
                  </Group>
                  <Text size="xs" c="dimmed" truncate>
                    {session.last_message?.preview ?? ""}
                  </Text>
                </Link>
              ))
            )
          }
        </Loaded>
      </nav>
      <Group p="sm">
        <FileButton onChange={importFile} accept="application/json">
          {(props) => (
            <Button size="compact-sm" variant="subtle" {...props}>
              {t("import")}
            </Button>
          )}
        </FileButton>
      </Group>
    </div>
  );
}

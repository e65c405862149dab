import { Anchor, Badge, Button, Card, Group, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { isChinese } from "../../../shared/i18n/i18n.ts";
import { matchWords } from "../../../shared/match-words.ts";
import { Icon } from "../../../shared/ui/element/icon.tsx";
import { useTexts } from "../texts.ts";
import { KNOWN_SERVERS, type KnownServer } from "./known-servers.ts";

interface BrowseServersProps {
  readonly onSelect: (server: KnownServer) => void;
}

/** A list of popular servers. Selecting one only fills in the form; nothing is stored or called before saving. */
export function BrowseServers({ onSelect }: BrowseServersProps) {
  const { t } = useTexts();
  const [query, setQuery] = useState("");
  const matchesQuery = matchWords(query);
  const found = KNOWN_SERVERS.filter(({ name, description }) => matchesQuery([name, ...description].join(" ")));
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {t("browseHint")}
      </Text>
      <TextInput
        type="search"
        aria-label={t("browseSearch")}
        placeholder={t("browseSearch")}
        leftSection={<Icon name="search" size={16} />}
        value={query}
        onChange={({ currentTarget }) => setQuery(currentTarget.value)}
        data-autofocus
        data-testid="browse-search"
      />
      {found.length === 0 && (
        <Text size="sm" role="status">
          {t("browseNone")}
        </Text>
      )}
      {found.map((server) => (
        <KnownServerCard key={server.name} server={server} onSelect={onSelect} />
      ))}
    </Stack>
  );
}

function KnownServerCard({ server, onSelect }: BrowseServersProps & { readonly server: KnownServer }) {
  const { t } = useTexts();
  const { name, description, docs, auth, draft } = server;
  const isProgram = draft.transport === "stdio";
  return (
    <Card withBorder padding="sm" data-testid="known-server">
      <Group justify="space-between" align="flex-start" gap="xs">
        <div style={{ flex: "1 1 14rem", minWidth: 0 }}>
          <Group gap="xs">
            <Text fw={600} dir="auto">
              {name}
            </Text>
            <Badge variant="light" color={isProgram ? "orange" : "gray"}>
              {t(isProgram ? "knownProgram" : `known_${auth}`)}
            </Badge>
          </Group>
          <Text size="sm">{description[isChinese() ? 1 : 0]}</Text>
          <Anchor href={docs} target="_blank" rel="noreferrer" size="xs" style={{ overflowWrap: "anywhere" }}>
            {t("knownDocs")}
          </Anchor>
        </div>
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => onSelect(server)}
          aria-label={`${t("choose")}: ${name}`}
        >
          {t("choose")}
        </Button>
      </Group>
    </Card>
  );
}

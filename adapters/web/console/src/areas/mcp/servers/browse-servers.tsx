import { Anchor, Badge, Button, Card, Group, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { isChinese } from "../../../shared/i18n/i18n.ts";
import { matchWords } from "../../../shared/match-words.ts";
import { Icon } from "../../../shared/ui/element/icon.tsx";
import { useTexts } from "../texts.ts";
import { KNOWN_SERVERS, type KnownServer } from "./known-servers.ts";

interface BrowseServersProps {
  readonly choose: (server: KnownServer) => void;
}

/** A list of popular servers. A choice only fills the form; nothing is stored or called before it is saved. */
export function BrowseServers({ choose }: BrowseServersProps) {
  const { t } = useTexts();
  const [words, setWords] = useState("");
  const isSought = matchWords(words);
  const found = KNOWN_SERVERS.filter(({ name, does }) => isSought([name, ...does].join(" ")));
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
        value={words}
        onChange={({ currentTarget }) => setWords(currentTarget.value)}
        data-autofocus
        data-testid="browse-words"
      />
      {found.length === 0 && (
        <Text size="sm" role="status">
          {t("browseNone")}
        </Text>
      )}
      {found.map((server) => (
        <KnownServerCard key={server.name} server={server} choose={choose} />
      ))}
    </Stack>
  );
}

function KnownServerCard({ server, choose }: BrowseServersProps & { readonly server: KnownServer }) {
  const { t } = useTexts();
  const { name, does, docs, auth: entrance, draft } = server;
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
              {t(isProgram ? "knownProgram" : `known_${entrance}`)}
            </Badge>
          </Group>
          <Text size="sm">{does[isChinese() ? 1 : 0]}</Text>
          <Anchor href={docs} target="_blank" rel="noreferrer" size="xs" style={{ overflowWrap: "anywhere" }}>
            {t("knownDocs")}
          </Anchor>
        </div>
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => choose(server)}
          aria-label={`${t("choose")}: ${name}`}
        >
          {t("choose")}
        </Button>
      </Group>
    </Card>
  );
}

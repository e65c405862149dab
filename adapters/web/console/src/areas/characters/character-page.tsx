import { ActionIcon, Button, Group, Menu, Tabs, Title } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type CardFormat, type Character, characters, exportCard } from "../../shared/api/characters.ts";
import { CardEditor } from "../../shared/cards/card-editor.tsx";
import { refetch } from "../../shared/live/refetch.ts";
import textCss from "../../shared/styles/text.module.css";
import { Failure, formatError, Loaded, useAction } from "../../shared/ui/common.tsx";
import { downloadFile } from "../../shared/ui/download-file.ts";
import { Icon } from "../../shared/ui/element/icon.tsx";
import { Portrait } from "../../shared/ui/element/portrait.tsx";
import { ConfirmButton } from "../../shared/ui/feedback/confirm.tsx";
import { showToast } from "../../shared/ui/feedback/toasts.tsx";
import pageCss from "../../shared/ui/page/page.module.css";
import { RequireChangeScope } from "../../shared/ui/page/permissions.tsx";
import { useNavigateIfHere } from "../../shared/ui/page/use-navigate-if-here.ts";
import { CharacterState } from "./state/character-state.tsx";
import { useTexts } from "./texts.ts";

const FORMATS = ["zip", "png", "json_v3", "json_v2"] as const satisfies readonly CardFormat[];
const EXTENSIONS: Readonly<Record<CardFormat, string>> = { zip: "zip", png: "png", json_v2: "json", json_v3: "json" };

/** The page of one character: its card, its state and relationships. */
export function CharacterPage({ id }: { readonly id: string }) {
  const { t } = useTexts();
  const isNew = id === "new";
  const query = useQuery({
    queryKey: ["character", "one", id],
    queryFn: () => characters.get(id),
    enabled: !isNew,
  });
  if (isNew) {
    return (
      <div className={pageCss.page}>
        <CharacterHeader />
        <CharacterCard />
      </div>
    );
  }
  return (
    <div className={pageCss.page} data-wide>
      {query.isError && <CharacterHeader title={t("characters")} />}
      <Loaded query={query}>{(character) => <ExistingCharacter character={character} />}</Loaded>
    </div>
  );
}

function ExistingCharacter({ character }: { readonly character: Character }) {
  const { t } = useTexts();
  return (
    <>
      <CharacterHeader character={character} />
      <Tabs defaultValue="card" keepMounted>
        <Tabs.List mb="md">
          <Tabs.Tab value="card">{t("card")}</Tabs.Tab>
          <Tabs.Tab value="state" data-testid="state-tab">
            {t("stateTab")}
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="card">
          <CharacterCard character={character} />
        </Tabs.Panel>
        <Tabs.Panel value="state">
          <CharacterState character={character} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

function CharacterCard({ character }: { readonly character?: Character }) {
  const { t } = useTexts();
  const queries = useQueryClient();
  const navigateIfHere = useNavigateIfHere();
  const create = async (fields: Readonly<Record<string, unknown>>) => {
    const now = await characters.create(fields);
    await refetch(queries, ["character"]);
    showToast({ text: t("saved", { name: now.name }) });
    await navigateIfHere({ to: "/characters/$characterId", params: { characterId: now.id }, ignoreBlocker: true });
    return now;
  };
  if (!character) return <CardEditor create={create} />;
  return (
    <CardEditor
      card={character}
      id={character.id}
      create={create}
      read={() => characters.get(character.id)}
      change={async (fields, revision) => {
        const now = await characters.change(character.id, fields, revision);
        await refetch(queries, ["character"]);
        showToast({ text: t("saved", { name: now.name }) });
        return now;
      }}
    />
  );
}

interface CharacterHeaderProps {
  readonly character?: Character;
  /** Heading; undefined where the character does not exist or is not loaded yet. */
  readonly title?: string;
}

function CharacterHeader({ character, title }: CharacterHeaderProps) {
  const { t } = useTexts();
  return (
    <Group gap="sm" mb="md" wrap="wrap">
      <ActionIcon component={Link} to="/characters" variant="subtle" color="gray" aria-label={t("back")}>
        <Icon name="back" />
      </ActionIcon>
      {character && <Portrait name={character.name} url={character.avatar || character.portrait} kind="face" />}
      <Title order={1} size="h2" className={textCss.oneLine} style={{ flex: "1 1 8rem" }}>
        {character?.name ?? title ?? t("newCharacter")}
      </Title>
      {character && <CharacterActions character={character} />}
    </Group>
  );
}

function CharacterActions({ character: { id, name } }: { readonly character: Character }) {
  const { t } = useTexts();
  const navigateIfHere = useNavigateIfHere();
  const queries = useQueryClient();
  const { toHandler, isBusy, error } = useAction([["session"]]);
  const chat = toHandler(async () => {
    const sessionId = await characters.createSession(id);
    await navigateIfHere({ to: "/sessions/$sessionId", params: { sessionId } });
  });
  const exportAs = (format: CardFormat) => async () => {
    try {
      downloadFile(await exportCard(id, format), `${name}.${EXTENSIONS[format]}`);
    } catch (thrown) {
      showToast({ text: formatError(thrown, t), isBad: true });
    }
  };
  const remove = async () => {
    await characters.remove(id);
    await navigateIfHere({ to: "/characters" });
    queries.removeQueries({ queryKey: ["character", "one", id] });
    await refetch(queries, ["character"]);
  };
  return (
    <Group gap="xs">
      <RequireChangeScope>
        <Button leftSection={<Icon name="chat" size={16} />} onClick={chat} loading={isBusy} data-testid="chat-with">
          {t("chat")}
        </Button>
      </RequireChangeScope>
      <RequireChangeScope>
        <Menu position="bottom-end">
          <Menu.Target>
            <Button variant="default" leftSection={<Icon name="download" size={16} />} data-testid="export-card">
              {t("exportAs")}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {FORMATS.map((format) => (
              <Menu.Item key={format} onClick={exportAs(format)}>
                {t(`format_${format}`)}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      </RequireChangeScope>
      <ConfirmButton icon="trash" label={t("remove")} what={name} text={t("removeHint")} run={remove} />
      <Failure error={error} />
    </Group>
  );
}

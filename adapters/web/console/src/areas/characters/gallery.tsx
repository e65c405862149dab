import { Button, Group, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { characters, type ListedCharacter } from "../../shared/api/characters.ts";
import { parley } from "../../shared/api/client.ts";
import textCss from "../../shared/styles/text.module.css";
import { Failure, Loaded, useAction } from "../../shared/ui/common.tsx";
import { Icon } from "../../shared/ui/element/icon.tsx";
import { IconButton } from "../../shared/ui/element/icon-button.tsx";
import { Portrait } from "../../shared/ui/element/portrait.tsx";
import { Empty } from "../../shared/ui/page/empty.tsx";
import { Page } from "../../shared/ui/page/page.tsx";
import { RequireChangeScope } from "../../shared/ui/page/permissions.tsx";
import { useNavigateIfHere } from "../../shared/ui/page/use-navigate-if-here.ts";
import { LoadMore } from "../../shared/ui/table/load-more.tsx";
import { usePagedList } from "../../shared/ui/table/use-paged-list.ts";
import { CardDropZone, useCardImport } from "./card-import.tsx";
import galleryCss from "./gallery.module.css";
import { useTexts } from "./texts.ts";

const PAGE_SIZE = 48;
const MAX_TAGS = 16;

/** All characters as cards with their portraits. */
export function Gallery() {
  const { t } = useTexts();
  const navigate = useNavigate();
  const [typed, setTyped] = useState("");
  const [q] = useDebouncedValue(typed, 250);
  const [tag, setTag] = useState<string>();
  const [isFavorite, setFavorite] = useState(false);
  const imports = useCardImport();
  const pages = useCharacters({ ...(q && { q }), ...(tag && { tag }), ...(isFavorite && { favorite: true }) });
  const create = () => navigate({ to: "/characters/$characterId", params: { characterId: "new" } });
  const isFiltered = isFavorite || q !== "" || tag !== undefined;
  return (
    <CardDropZone imports={imports}>
      <Page
        title={t("characters")}
        hint={t("hint")}
        isWide
        actions={
          <>
            {imports.button}
            <Button leftSection={<Icon name="plus" size={16} />} onClick={create} data-testid="new-character">
              {t("newCharacter")}
            </Button>
          </>
        }
      >
        <Group gap="xs" mb="md">
          <TextInput
            style={{ flex: "1 1 14rem" }}
            leftSection={<Icon name="search" size={16} />}
            aria-label={t("search")}
            placeholder={t("search")}
            value={typed}
            maxLength={200}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            data-testid="character-search"
          />
          <Button
            variant={isFavorite ? "light" : "default"}
            aria-pressed={isFavorite}
            leftSection={<Icon name="star" size={16} filled={isFavorite} />}
            onClick={() => setFavorite(!isFavorite)}
          >
            {t("favourites")}
          </Button>
        </Group>
        {imports.notes}
        <Loaded query={pages}>
          {({ items }) => (
            <>
              <TagFilter items={items} chosen={tag} choose={setTag} />
              {items.length === 0 && isFiltered && (
                <Text c="dimmed" size="sm">
                  {t("nothingFound")}
                </Text>
              )}
              {items.length === 0 && !isFiltered && (
                <Empty
                  icon="heart"
                  title={t("none")}
                  hint={t("noneHint")}
                  action={{ label: t("newCharacter"), run: create }}
                />
              )}
              <ul className={galleryCss.gallery}>
                {items.map((one) => (
                  <CharacterTile key={one.id} character={one} />
                ))}
              </ul>
              <LoadMore list={pages} isEndless />
            </>
          )}
        </Loaded>
      </Page>
    </CardDropZone>
  );
}

interface CharacterFilter {
  readonly q?: string;
  readonly tag?: string;
  readonly favorite?: boolean;
}

/** Loads characters page by page; refetches when one changes. */
function useCharacters(filters: CharacterFilter) {
  return usePagedList({
    queryKey: ["character", "gallery", filters],
    read: (page, _cursor, signal) => parley.get("/api/characters", { query: { ...filters, ...page }, signal }),
    getId: ({ id }) => id,
    pageSize: PAGE_SIZE,
  });
}

interface TagFilterProps {
  readonly items: readonly ListedCharacter[];
  readonly chosen: string | undefined;
  readonly choose: (tag: string | undefined) => void;
}

/** The tags of the loaded characters, the most frequent first. */
function TagFilter({ items, chosen, choose }: TagFilterProps) {
  const { t } = useTexts();
  const counts = new Map<string, number>();
  for (const { tags } of items) for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  const common = [...counts].toSorted((a, b) => b[1] - a[1]).map(([tag]) => tag);
  const shownTags = [...new Set([...(chosen === undefined ? [] : [chosen]), ...common])].slice(0, MAX_TAGS);
  if (shownTags.length === 0) return null;
  return (
    <fieldset className={galleryCss.tagRow} aria-label={t("tags")}>
      {shownTags.map((tag) => (
        <Button
          key={tag}
          size="compact-xs"
          radius="xl"
          variant={tag === chosen ? "filled" : "default"}
          aria-pressed={tag === chosen}
          onClick={() => choose(tag === chosen ? undefined : tag)}
        >
          {tag}
        </Button>
      ))}
    </fieldset>
  );
}

function CharacterTile({ character }: { readonly character: ListedCharacter }) {
  const { t } = useTexts();
  const navigateIfHere = useNavigateIfHere();
  const { toHandler, isBusy, error } = useAction([["session"], ["character"]]);
  const { id, name, description, tags, portrait, avatar, favorite } = character;
  const chat = toHandler(async () => {
    const sessionId = await characters.createSession(id);
    await navigateIfHere({ to: "/sessions/$sessionId", params: { sessionId } });
  });
  const toggleFavorite = toHandler(() => characters.change(id, { favorite: !favorite }));
  return (
    <li className={galleryCss.tile} data-testid="character-tile">
      <Link
        to="/characters/$characterId"
        params={{ characterId: id }}
        className={galleryCss.tileFace}
        aria-label={t("open", { name })}
      >
        <Portrait name={name} url={portrait || avatar} kind="card" />
      </Link>
      <div className={galleryCss.tileText}>
        <Text fw={600} className={textCss.oneLine} title={name}>
          {name}
        </Text>
        <Text size="xs" c="dimmed" lineClamp={2} mih="2.6em">
          {description}
        </Text>
        <Text size="xs" c="dimmed" className={textCss.oneLine}>
          {tags.join(" · ")}
        </Text>
      </div>
      <Failure error={error} />
      <Group gap={4} wrap="nowrap" className={galleryCss.tileActions}>
        <RequireChangeScope>
          <Button
            size="compact-sm"
            variant="light"
            flex={1}
            loading={isBusy}
            leftSection={<Icon name="chat" size={15} />}
            onClick={chat}
            aria-label={t("chatWith", { name })}
            data-testid="chat-with"
          >
            {t("chat")}
          </Button>
        </RequireChangeScope>
        <RequireChangeScope>
          <IconButton
            icon="star"
            label={t("favourite")}
            isPressed={favorite}
            isFilled={favorite}
            color={favorite ? "yellow" : "gray"}
            onClick={() => void toggleFavorite()}
          />
        </RequireChangeScope>
      </Group>
    </li>
  );
}

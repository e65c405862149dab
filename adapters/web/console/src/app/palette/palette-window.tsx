import { Modal, ScrollArea, Text, TextInput, useMantineColorScheme } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useId, useState } from "react";
import { parley } from "../../shared/api/client.ts";
import { type NavigationArea, useResources } from "../../shared/api/console.ts";
import { setLanguage, useTexts } from "../../shared/i18n/i18n.ts";
import { useLanguages } from "../../shared/i18n/use-languages.ts";
import { useLocalized } from "../../shared/i18n/use-localized.ts";
import textCss from "../../shared/styles/text.module.css";
import { Icon, type IconName } from "../../shared/ui/element/icon.tsx";
import { toSessionAddress } from "../../shared/ui/page/address.ts";
import { RestoreFocus } from "../../shared/ui/page/restore-focus.tsx";
import { toAreaPath } from "../areas.ts";
import type { PaletteActions } from "./command-palette.tsx";
import paletteCss from "./palette.module.css";

const MAX_SESSIONS = 8;
const MAX_MESSAGES = 6;
const MIN_QUERY_LENGTH = 2;

interface PaletteWindowProps {
  readonly isOpen: boolean;
  readonly typed: string;
  readonly setTyped: (text: string) => void;
  /** Called when the palette's input field has the focus. */
  readonly onReady: () => void;
  readonly close: () => void;
  readonly areas: readonly NavigationArea[];
  readonly appActions: PaletteActions;
}

interface PaletteItem {
  readonly id: string;
  readonly title: string;
  /** Further words to find the item by. */
  readonly keywords?: string;
  readonly kind: string;
  readonly icon: IconName;
  readonly run: () => unknown;
}

/** The dialog of the palette: finds pages, actions, conversations and messages. */
export function PaletteWindow({ isOpen, ...props }: PaletteWindowProps) {
  const { t } = useTexts();
  return (
    <Modal
      opened={isOpen}
      onClose={props.close}
      withCloseButton={false}
      padding={0}
      size="lg"
      yOffset="10dvh"
      title={null}
      attributes={{ content: { "aria-label": t("find") } }}
    >
      <RestoreFocus />
      <PaletteList {...props} label={t("find")} />
    </Modal>
  );
}

interface PaletteListProps extends Omit<PaletteWindowProps, "isOpen"> {
  readonly label: string;
}

function PaletteList({ typed, setTyped, onReady, close, areas, appActions, label }: PaletteListProps) {
  const { t } = useTexts();
  const id = useId();
  const [index, setIndex] = useState(0);
  const items = usePaletteItems(typed, areas, appActions);
  const chosen = items[Math.min(index, items.length - 1)];
  const run = (choice: PaletteItem | undefined) => {
    if (!choice) return;
    close();
    void choice.run();
  };
  const handleKey = (event: React.KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setIndex((before) => (before + step + items.length) % Math.max(items.length, 1));
    }
    if (event.key === "Enter") run(chosen);
  };
  return (
    <>
      <TextInput
        size="md"
        variant="unstyled"
        className={paletteCss.paletteInput}
        leftSection={<Icon name="search" />}
        placeholder={t("findHint")}
        aria-label={label}
        role="combobox"
        aria-expanded
        aria-controls={id}
        aria-activedescendant={chosen && `${id}-${chosen.id}`}
        value={typed}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value);
          setIndex(0);
        }}
        onFocus={({ currentTarget }) => {
          // Typing continues after the captured keys.
          currentTarget.setSelectionRange(currentTarget.value.length, currentTarget.value.length);
          onReady();
        }}
        onKeyDown={handleKey}
        data-autofocus
        data-testid="palette-input"
      />
      <ScrollArea.Autosize mah="55dvh" type="auto">
        <div role="listbox" id={id} aria-label={label} className={paletteCss.palette}>
          {items.map((choice) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
            <div
              key={choice.id}
              id={`${id}-${choice.id}`}
              role="option"
              tabIndex={-1}
              aria-selected={choice === chosen}
              ref={(element) => {
                if (choice === chosen) element?.scrollIntoView({ block: "nearest" });
              }}
              onClick={() => run(choice)}
              data-testid="palette-choice"
            >
              <Icon name={choice.icon} size={16} />
              <span className={textCss.oneLine}>{choice.title}</span>
              <span className={textCss.meta}>{choice.kind}</span>
            </div>
          ))}
          {items.length === 0 && (
            <Text size="sm" c="dimmed" p="sm">
              {t("nothingNamed")}
            </Text>
          )}
        </div>
      </ScrollArea.Autosize>
    </>
  );
}

function usePaletteItems(typed: string, areas: readonly NavigationArea[], appActions: PaletteActions) {
  const words = typed.trim().toLowerCase();
  const sessions = useSessionItems(words);
  const messages = useMessageItems(words);
  const pages = usePageItems(areas);
  const actions = useActionItems(areas, appActions);
  const matches = ({ title, keywords: also = "" }: PaletteItem) => `${title} ${also}`.toLowerCase().includes(words);
  // A conversation found by its messages alone comes last: the items of these messages lead to the exact place.
  const [named, others] = [sessions.filter(matches), sessions.filter((one) => !matches(one))];
  return [...pages.filter(matches), ...actions.filter(matches), ...named, ...messages, ...others];
}

function usePageItems(areas: readonly NavigationArea[]): readonly PaletteItem[] {
  const { t } = useTexts();
  const localize = useLocalized();
  const navigate = useNavigate();
  return areas.map((area) => ({
    id: `page-${area.id}`,
    title: localize(area.title),
    keywords: `${area.title.en} ${area.id}`,
    kind: t("kindPage"),
    icon: area.icon,
    run: () => navigate({ to: toAreaPath(area) }),
  }));
}

function useActionItems(areas: readonly NavigationArea[], appActions: PaletteActions): readonly PaletteItem[] {
  const { t } = useTexts();
  const localize = useLocalized();
  const navigate = useNavigate();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const resources = useResources();
  const action = (id: string, title: string, icon: IconName, run: () => unknown): PaletteItem => ({
    id: `action-${id}`,
    title,
    kind: t("kindAction"),
    icon,
    run,
  });
  const openNewSession = () => navigate({ to: "/sessions/$sessionId", params: { sessionId: "new" } });
  const createActions = areas.flatMap(({ id, view }) => {
    const resource = resources.data?.items.find(({ kind }) => view.kind === "resource" && kind === view.resource);
    if (!resource?.verbs.includes("create")) return [];
    const title = t("newNamed", { name: localize(resource.title.one) });
    return [action(`new-${id}`, title, "plus", () => navigate({ to: `/area/${id}/new` }))];
  });
  const themes = (["light", "dark", "auto"] as const)
    .filter((theme) => theme !== colorScheme)
    .map((theme) => action(`theme-${theme}`, `${t("theme")}: ${t(theme)}`, "settings", () => setColorScheme(theme)));
  const languages = useLanguages().map(({ code, name }) =>
    action(`language-${code}`, `${t("language")}: ${name}`, "globe", () => void setLanguage(code)),
  );
  return [
    action("new-session", t("newSession"), "plus", openNewSession),
    ...createActions,
    ...themes,
    ...languages,
    action("keys", t("keys"), "book", appActions.showShortcuts),
    action("sign-out", t("signOut"), "signOut", appActions.signOut),
  ];
}

function useSessionItems(words: string): readonly PaletteItem[] {
  const { t } = useTexts();
  const navigate = useNavigate();
  const [debouncedWords] = useDebouncedValue(words, 150);
  const query = useQuery({
    queryKey: ["session", "found", debouncedWords],
    queryFn: ({ signal }) =>
      parley.get("/api/sessions", {
        query: { ...(debouncedWords !== "" && { q: debouncedWords }), limit: MAX_SESSIONS },
        signal,
      }),
    placeholderData: (before) => before,
  });
  return (query.data?.items ?? []).map(({ id, name }) => ({
    id: `session-${id}`,
    title: name,
    kind: t("kindSession"),
    icon: "chat",
    run: () => navigate({ to: "/sessions/$sessionId", params: { sessionId: id } }),
  }));
}

/** Palette items for messages that contain these words; each links to its message. */
function useMessageItems(words: string): readonly PaletteItem[] {
  const { t } = useTexts();
  const navigate = useNavigate();
  const [debouncedWords] = useDebouncedValue(words, 150);
  const query = useQuery({
    queryKey: ["session", "found-by-words", debouncedWords],
    queryFn: ({ signal }) => parley.get("/api/messages", { query: { q: debouncedWords, limit: MAX_MESSAGES }, signal }),
    enabled: debouncedWords.length >= MIN_QUERY_LENGTH,
    placeholderData: (before) => before,
  });
  if (words.length < MIN_QUERY_LENGTH) return [];
  return (query.data?.items ?? []).map(({ session_id: sessionId, message_id: message, excerpt }) => ({
    id: `message-${message}`,
    title: excerpt,
    kind: t("kindMessage"),
    icon: "chat",
    run: () => navigate(toSessionAddress(sessionId, message)),
  }));
}

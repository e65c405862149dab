import { Modal, ScrollArea, Text, TextInput, useMantineColorScheme } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useId, useState } from "react";
import { parley } from "../shared/api/client.ts";
import { type NavigationArea, useResources } from "../shared/api/console.ts";
import { LANGUAGES, type Language, setLanguage, useTexts } from "../shared/i18n/i18n.ts";
import { useLocal } from "../shared/i18n/local.ts";
import textCss from "../shared/styles/text.module.css";
import { FocusBack } from "../shared/ui/focus-back.tsx";
import { Icon, type IconName } from "../shared/ui/icon.tsx";
import { addressOf } from "./areas.ts";
import paletteCss from "./palette.module.css";
import type { PaletteDeeds } from "./palette.tsx";

const MOST_SESSIONS = 8;
const MOST_MESSAGES = 6;
const LEAST_LETTERS = 2;

interface PaletteWindowProps {
  readonly isOpen: boolean;
  readonly typed: string;
  readonly setTyped: (text: string) => void;
  /** Its field has the focus. */
  readonly ready: () => void;
  readonly close: () => void;
  readonly areas: readonly NavigationArea[];
  readonly deeds: PaletteDeeds;
}

interface Choice {
  readonly id: string;
  readonly title: string;
  /** Found by these words too. */
  readonly also?: string;
  readonly kind: string;
  readonly icon: IconName;
  readonly run: () => unknown;
}

/** Pages, conversations and actions by name. */
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
      <FocusBack />
      <Choices {...props} label={t("find")} />
    </Modal>
  );
}

interface ChoicesProps extends Omit<PaletteWindowProps, "isOpen"> {
  readonly label: string;
}

function Choices({ typed, setTyped, ready, close, areas, deeds, label }: ChoicesProps) {
  const { t } = useTexts();
  const id = useId();
  const [at, setAt] = useState(0);
  const found = useChoices(typed, areas, deeds);
  const chosen = found[Math.min(at, found.length - 1)];
  const run = (choice: Choice | undefined) => {
    if (!choice) return;
    close();
    void choice.run();
  };
  const pressed = (event: React.KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setAt((before) => (before + step + found.length) % Math.max(found.length, 1));
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
          setAt(0);
        }}
        onFocus={({ currentTarget }) => {
          // What was typed before it was there is gone on with.
          currentTarget.setSelectionRange(currentTarget.value.length, currentTarget.value.length);
          ready();
        }}
        onKeyDown={pressed}
        data-autofocus
        data-testid="palette-input"
      />
      <ScrollArea.Autosize mah="55dvh" type="auto">
        <div role="listbox" id={id} aria-label={label} className={paletteCss.palette}>
          {found.map((choice) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field
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
          {found.length === 0 && (
            <Text size="sm" c="dimmed" p="sm">
              {t("nothingNamed")}
            </Text>
          )}
        </div>
      </ScrollArea.Autosize>
    </>
  );
}

function useChoices(typed: string, areas: readonly NavigationArea[], deeds: PaletteDeeds) {
  const words = typed.trim().toLowerCase();
  const sessions = useSessions(words);
  const messages = useMessages(words);
  const pages = usePages(areas);
  const actions = useActions(areas, deeds);
  const matches = ({ title, also = "" }: Choice) => `${title} ${also}`.toLowerCase().includes(words);
  // A message leads to its place: a conversation that has the words only in what was said comes after.
  const [named, others] = [sessions.filter(matches), sessions.filter((one) => !matches(one))];
  return [...pages.filter(matches), ...actions.filter(matches), ...named, ...messages, ...others];
}

function usePages(areas: readonly NavigationArea[]): readonly Choice[] {
  const { t } = useTexts();
  const local = useLocal();
  const navigate = useNavigate();
  return areas.map((area) => ({
    id: `page-${area.id}`,
    title: local(area.title),
    also: `${area.title.en} ${area.id}`,
    kind: t("kindPage"),
    icon: area.icon,
    run: () => navigate({ to: addressOf(area) }),
  }));
}

function useActions(areas: readonly NavigationArea[], deeds: PaletteDeeds): readonly Choice[] {
  const { t } = useTexts();
  const local = useLocal();
  const navigate = useNavigate();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const resources = useResources();
  const action = (id: string, title: string, icon: IconName, run: () => unknown): Choice => ({
    id: `action-${id}`,
    title,
    kind: t("kindAction"),
    icon,
    run,
  });
  const begin = () => navigate({ to: "/sessions/$sessionId", params: { sessionId: "new" } });
  const makers = areas.flatMap(({ id, view }) => {
    const shown = resources.data?.items.find(({ kind }) => view.kind === "resource" && kind === view.resource);
    if (!shown?.verbs.includes("create")) return [];
    const title = t("newNamed", { name: local(shown.title.one) });
    return [action(`new-${id}`, title, "plus", () => navigate({ to: `/area/${id}/new` }))];
  });
  const themes = (["light", "dark", "auto"] as const)
    .filter((theme) => theme !== colorScheme)
    .map((theme) => action(`theme-${theme}`, `${t("theme")}: ${t(theme)}`, "settings", () => setColorScheme(theme)));
  const languages = Object.entries(LANGUAGES).map(([language, title]) =>
    action(`language-${language}`, `${t("language")}: ${title}`, "globe", () => setLanguage(language as Language)),
  );
  return [
    action("new-session", t("newSession"), "plus", begin),
    ...makers,
    ...themes,
    ...languages,
    action("keys", t("keys"), "book", deeds.showKeys),
    action("sign-out", t("signOut"), "signOut", deeds.signOut),
  ];
}

function useSessions(words: string): readonly Choice[] {
  const { t } = useTexts();
  const navigate = useNavigate();
  const [asked] = useDebouncedValue(words, 150);
  const found = useQuery({
    queryKey: ["session", "found", asked],
    queryFn: ({ signal }) =>
      parley.get("/api/sessions", { query: { ...(asked !== "" && { q: asked }), limit: MOST_SESSIONS }, signal }),
    placeholderData: (before) => before,
  });
  return (found.data?.items ?? []).map(({ id, name }) => ({
    id: `session-${id}`,
    title: name,
    kind: t("kindSession"),
    icon: "chat",
    run: () => navigate({ to: "/sessions/$sessionId", params: { sessionId: id } }),
  }));
}

/** What was said with these words, each at its place. */
function useMessages(words: string): readonly Choice[] {
  const { t } = useTexts();
  const navigate = useNavigate();
  const [asked] = useDebouncedValue(words, 150);
  const found = useQuery({
    queryKey: ["session", "found-by-words", asked],
    queryFn: ({ signal }) => parley.get("/api/messages", { query: { q: asked, limit: MOST_MESSAGES }, signal }),
    enabled: asked.length >= LEAST_LETTERS,
    placeholderData: (before) => before,
  });
  if (words.length < LEAST_LETTERS) return [];
  return (found.data?.items ?? []).map(({ session_id: sessionId, message_id: message, excerpt }) => ({
    id: `message-${message}`,
    title: excerpt,
    kind: t("kindMessage"),
    icon: "chat",
    run: () => navigate({ to: "/sessions/$sessionId", params: { sessionId }, search: { message } as never }),
  }));
}

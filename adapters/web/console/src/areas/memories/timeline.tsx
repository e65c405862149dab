import { Anchor, Badge, Button, Checkbox, Group, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { formatPerson } from "../../shared/i18n/format-person.ts";
import { formatTime, useAction } from "../../shared/ui/common.tsx";
import { ConfirmButton } from "../../shared/ui/feedback/confirm.tsx";
import { toSessionAddress } from "../../shared/ui/page/address.ts";
import { RequireChangeScope } from "../../shared/ui/page/permissions.tsx";
import { type Memory, memories, QUERY_KEYS } from "./api.ts";
import memoriesCss from "./memories.module.css";
import { useTexts } from "./texts.ts";

interface TimelineProps {
  readonly items: readonly Memory[];
  readonly selected: ReadonlyMap<string, Memory>;
  readonly onToggle: (memory: Memory) => void;
  readonly edit: (memory: Memory) => void;
}

/** Memories by day, each with the earlier versions it replaced. */
export function Timeline({ items, ...rest }: TimelineProps) {
  const { language } = useTexts();
  const visibleIds = new Set(items.map(({ id }) => id));
  const earlier = Map.groupBy(items, ({ replaced_by }) => replaced_by ?? "");
  // Replaced memories are shown below their successor, or by themselves if it is not on the page.
  const visibleMemories = items.filter(({ replaced_by }) => replaced_by === null || !visibleIds.has(replaced_by));
  const dayFormat = new Intl.DateTimeFormat(language, { dateStyle: "full" });
  const days = Map.groupBy(visibleMemories, ({ said_at }) => dayFormat.format(new Date(said_at)));
  return (
    <div>
      {[...days].map(([day, dayMemories]) => (
        <section key={day} aria-label={day}>
          <Title order={2} size="h6" c="dimmed" className={memoriesCss.memoryDay}>
            {day}
          </Title>
          {dayMemories.map((memory) => (
            <TimelineEntry key={memory.id} memory={memory} earlier={collectHistory(memory.id, earlier)} {...rest} />
          ))}
        </section>
      ))}
    </div>
  );
}

function collectHistory(id: string, earlier: ReadonlyMap<string, readonly Memory[]>): readonly Memory[] {
  return (earlier.get(id) ?? []).flatMap((one) => [one, ...collectHistory(one.id, earlier)]);
}

interface TimelineEntryProps extends Omit<TimelineProps, "items"> {
  readonly memory: Memory;
  readonly earlier: readonly Memory[];
}

function TimelineEntry({ memory, earlier, selected, onToggle, edit }: TimelineEntryProps) {
  const { t, language } = useTexts();
  const { toHandler } = useAction(QUERY_KEYS);
  const { id, title, content, kind, importance, target_id, character_id, character_name, session_id } = memory;
  const { source, recall_count, expires_at, replaced_at, tags, message_id } = memory;
  const sourceText = source === "manual" ? t("addedManually") : t(`source_${source}`);
  const notes = [
    target_id === null ? t("appliesToAll") : formatPerson(target_id),
    character_id === null ? t("knownToAll") : character_name,
    t("importanceOf", { value: String(importance) }),
    ...(recall_count > 0 ? [t("recalled", { count: recall_count })] : []),
    ...(expires_at === null ? [] : [t("expires", { time: formatTime(expires_at, language) })]),
    ...(replaced_at === null ? [] : [t("until", { time: formatTime(replaced_at, language) })]),
  ];
  return (
    <article className={memoriesCss.memory} data-testid="memory" data-importance={importance >= 8 ? "high" : "normal"}>
      <RequireChangeScope>
        <Checkbox
          checked={selected.has(id)}
          onChange={() => onToggle(memory)}
          aria-label={`${t("select")}: ${title}`}
          disabled={replaced_at !== null}
          size="xs"
          mt={4}
        />
      </RequireChangeScope>
      <div className={memoriesCss.memoryBody}>
        <Text className={memoriesCss.memoryContent}>{content}</Text>
        {earlier.map((old) => (
          <Text key={old.id} size="sm" c="dimmed" className={memoriesCss.memoryContent} data-testid="memory-earlier">
            {t("earlier")}: <s>{old.content}</s> ({t("until", { time: formatTime(old.replaced_at, language) })})
          </Text>
        ))}
        <Group gap={6} mt={4}>
          <Badge size="sm" variant="light">
            {t(`kind_${kind}`)}
          </Badge>
          {tags.map((tag) => (
            <Badge key={tag} size="sm" variant="outline" color="gray">
              {tag}
            </Badge>
          ))}
          <Text size="xs" c="dimmed" className={memoriesCss.memoryContent}>
            {notes.join(" · ")}
          </Text>
        </Group>
        <Group gap={4} mt={2} className={memoriesCss.memoryFoot}>
          <Text size="xs" c="dimmed" component="span" title={formatTime(memory.said_at, language)}>
            {session_id === null ? (
              sourceText
            ) : (
              <Anchor
                size="xs"
                data-testid="memory-source"
                renderRoot={(props) => <Link {...props} {...toSessionAddress(session_id, message_id ?? undefined)} />}
              >
                {t("inConversation")}
              </Anchor>
            )}
          </Text>
          <Group gap={0}>
            <RequireChangeScope>
              <Button size="compact-sm" variant="subtle" onClick={() => edit(memory)} data-testid="edit-memory">
                {t("edit")}
              </Button>
            </RequireChangeScope>
            <ConfirmButton
              label={t("forget")}
              what={title}
              text={t("forgetHint")}
              testId="forget-memory"
              run={toHandler(() => memories.forget([id]), { throws: true })}
            />
          </Group>
        </Group>
      </div>
    </article>
  );
}

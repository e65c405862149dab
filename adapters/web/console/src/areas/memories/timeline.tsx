import { Anchor, Badge, Button, Checkbox, Group, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { personOf } from "../../shared/i18n/person.ts";
import { timeOf, useTried } from "../../shared/ui/common.tsx";
import { ConfirmButton } from "../../shared/ui/confirm.tsx";
import { Changes } from "../../shared/ui/may-change.tsx";
import { type Memory, memories } from "./api.ts";
import memoriesCss from "./memories.module.css";
import { CHANGED } from "./page.tsx";
import { useTexts } from "./texts.ts";

interface TimelineProps {
  readonly items: readonly Memory[];
  readonly chosen: ReadonlyMap<string, Memory>;
  readonly choose: (memory: Memory) => void;
  readonly edit: (memory: Memory) => void;
}

/** Memories under the day they were said, each with what it took the place of. */
export function Timeline({ items, ...rest }: TimelineProps) {
  const { language } = useTexts();
  const there = new Set(items.map(({ id }) => id));
  const earlier = Map.groupBy(items, ({ replaced_by }) => replaced_by ?? "");
  // History stands under what took its place; one whose successor is not on the page stands by itself.
  const shown = items.filter(({ replaced_by }) => replaced_by === null || !there.has(replaced_by));
  const dayOf = new Intl.DateTimeFormat(language, { dateStyle: "full" });
  const days = Map.groupBy(shown, ({ said_at }) => dayOf.format(new Date(said_at)));
  return (
    <div>
      {[...days].map(([day, some]) => (
        <section key={day} aria-label={day}>
          <Title order={2} size="h6" c="dimmed" className={memoriesCss.memoryDay}>
            {day}
          </Title>
          {some.map((memory) => (
            <Entry key={memory.id} memory={memory} earlier={historyOf(memory.id, earlier)} {...rest} />
          ))}
        </section>
      ))}
    </div>
  );
}

function historyOf(id: string, earlier: ReadonlyMap<string, readonly Memory[]>): readonly Memory[] {
  return (earlier.get(id) ?? []).flatMap((one) => [one, ...historyOf(one.id, earlier)]);
}

interface EntryProps extends Omit<TimelineProps, "items"> {
  readonly memory: Memory;
  readonly earlier: readonly Memory[];
}

function Entry({ memory, earlier, chosen, choose, edit }: EntryProps) {
  const { t, language } = useTexts();
  const { tried } = useTried(CHANGED);
  const { id, title, content, kind, importance, target_id, character_id, character_name, session_id } = memory;
  const { source, recall_count, expires_at, replaced_at, tags, message_id } = memory;
  const from = source === "manual" ? t("byHand") : t(`source_${source}`);
  const notes = [
    target_id === null ? t("forAll") : personOf(target_id),
    character_id === null ? t("forCharacters") : character_name,
    t("importanceOf", { value: String(importance) }),
    ...(recall_count > 0 ? [t("recalled", { count: recall_count })] : []),
    ...(expires_at === null ? [] : [t("expires", { time: timeOf(expires_at, language) })]),
    ...(replaced_at === null ? [] : [t("until", { time: timeOf(replaced_at, language) })]),
  ];
  return (
    <article className={memoriesCss.memory} data-testid="memory" data-importance={importance >= 8 ? "high" : "normal"}>
      <Changes>
        <Checkbox
          checked={chosen.has(id)}
          onChange={() => choose(memory)}
          aria-label={`${t("chosen")}: ${title}`}
          disabled={replaced_at !== null}
          size="xs"
          mt={4}
        />
      </Changes>
      <div className={memoriesCss.memoryBody}>
        <Text className={memoriesCss.memoryContent}>{content}</Text>
        {earlier.map((old) => (
          <Text key={old.id} size="sm" c="dimmed" className={memoriesCss.memoryContent} data-testid="memory-earlier">
            {t("earlier")}: <s>{old.content}</s> ({t("until", { time: timeOf(old.replaced_at, language) })})
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
          <Text size="xs" c="dimmed" component="span" title={timeOf(memory.said_at, language)}>
            {session_id === null ? (
              from
            ) : (
              <Anchor
                size="xs"
                data-testid="memory-source"
                renderRoot={(props) => (
                  <Link
                    {...props}
                    to={"/sessions/$sessionId" as string}
                    params={{ sessionId: session_id } as never}
                    search={(message_id === null ? {} : { message: message_id }) as never}
                  />
                )}
              >
                {t("inConversation")}
              </Anchor>
            )}
          </Text>
          <Group gap={0}>
            <Changes>
              <Button size="compact-sm" variant="subtle" onClick={() => edit(memory)} data-testid="edit-memory">
                {t("edit")}
              </Button>
            </Changes>
            <ConfirmButton
              label={t("forget")}
              what={title}
              text={t("forgetHint")}
              testId="forget-memory"
              run={tried(() => memories.forget([id]), { throws: true })}
            />
          </Group>
        </Group>
      </div>
    </article>
  );
}

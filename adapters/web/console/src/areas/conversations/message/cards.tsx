import type { ThinkingStep } from "@parley/core";
import { toFileUrl } from "../../../shared/files/api.ts";
import { formatDuration } from "../../../shared/i18n/format-duration.ts";
import type { Card, FileChange, TodoItem } from "../../../shared/live/cards.ts";
import textCss from "../../../shared/styles/text.module.css";
import { type TextKey, useTexts } from "../texts.ts";
import cardsCss from "./cards.module.css";

interface CardsProps {
  readonly cards: readonly Card[];
  readonly sessionId: string;
}

/** The cards of a reply, each as a small list. */
export function Cards({ cards, sessionId }: CardsProps) {
  return cards.map((card) => <CardBox key={card.id} card={card} sessionId={sessionId} />);
}

function CardBox({ card, sessionId }: { readonly card: Card; readonly sessionId: string }) {
  const { t } = useTexts();
  switch (card.type) {
    case "thinking_card":
      return (
        <CardFrame title={t("stepsCard")} type={card.type}>
          {card.items.map((step, at) => (
            <StepLine key={at} step={step} />
          ))}
        </CardFrame>
      );
    case "todo_card": {
      const left = card.items.filter(({ done }) => !done).length;
      if (card.items.length === 0) return null;
      return (
        <CardFrame title={left === 0 ? t("todosDone") : t("todosLeft", { count: left })} type={card.type}>
          {card.items.map((item) => (
            <TodoLine key={item.id} item={item} />
          ))}
        </CardFrame>
      );
    }
    case "change_card":
      return (
        <CardFrame title={t("changesCard")} type={card.type}>
          {card.items.map((change) => (
            <ChangeLine key={`${change.scope} ${change.path}`} change={change} sessionId={sessionId} />
          ))}
        </CardFrame>
      );
  }
}

interface CardFrameProps {
  readonly title: string;
  readonly type: Card["type"];
  readonly children: React.ReactNode;
}

function CardFrame({ title, type, children }: CardFrameProps) {
  return (
    <section className={cardsCss.turnCard} aria-label={title} data-testid={type.replace("_", "-")}>
      <h4>{title}</h4>
      <ul>{children}</ul>
    </section>
  );
}

export const TOOL_STATE_TEXTS: Readonly<Record<Extract<ThinkingStep, { type: "tool" }>["status"], TextKey>> = {
  running: "toolRunning",
  ok: "toolDone",
  error: "toolFailed",
  denied: "toolDenied",
};

function StepLine({ step }: { readonly step: ThinkingStep }) {
  const { t, language } = useTexts();
  if (step.type === "thinking") {
    return (
      <li className={cardsCss.thought} dir="auto">
        {step.text.trim() === "" ? t("thinkingNow") : step.text}
      </li>
    );
  }
  const { name, status, duration_ms } = step;
  const took = duration_ms === null ? "" : ` · ${formatDuration(duration_ms, language)}`;
  return (
    <li data-state={status}>
      <code>{name}</code>
      <span className={textCss.meta}>
        {t(TOOL_STATE_TEXTS[status])}
        {took}
      </span>
    </li>
  );
}

function TodoLine({ item: { text, done } }: { readonly item: TodoItem }) {
  const { t } = useTexts();
  return (
    <li data-done={done}>
      <span role="img" aria-label={t(done ? "todoDone" : "todoOpen")}>
        {done ? "☑" : "☐"}
      </span>
      <span>{text}</span>
    </li>
  );
}

const FILE_ACTION_TEXTS: Readonly<Record<FileChange["action"], TextKey>> = {
  upload: "fileCreated",
  edit: "fileEdited",
  move: "fileMoved",
  delete: "fileDeleted",
};

function ChangeLine({ change, sessionId }: { readonly change: FileChange; readonly sessionId: string }) {
  const { t } = useTexts();
  const { path, scope, action } = change;
  return (
    <li data-state={action}>
      {action === "delete" ? (
        <s>{path}</s>
      ) : (
        <a href={toFileUrl(scope === "shared" ? undefined : sessionId, path)} target="_blank" rel="noreferrer noopener">
          {path}
        </a>
      )}
      <span className={textCss.meta}>
        {t(FILE_ACTION_TEXTS[action])}
        {scope === "shared" && ` · ${t("fileShared")}`}
      </span>
    </li>
  );
}

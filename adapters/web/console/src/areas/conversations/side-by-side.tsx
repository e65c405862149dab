import { Button, Text } from "@mantine/core";
import type { Message, ToldFailure } from "@parley/core";
import { useQuery } from "@tanstack/react-query";
import { parley, type Shapes } from "../../shared/api/client.ts";
import textCss from "../../shared/styles/text.module.css";
import { useModelName } from "./answering-model.ts";
import messageCss from "./message.module.css";
import { Acts, Copy, explainOf, type MessageDeeds, ratingsOf, Usage } from "./message-actions.tsx";
import { RichText } from "./rich-text.tsx";
import { useTexts } from "./texts.ts";
import { askedByTrace, type LiveConversation } from "./use-conversation.ts";
import { WhyUnanswered } from "./why-unanswered.tsx";

/** The last question, where several models were asked it and nothing was said since. */
export function askedOfSeveral(
  messages: readonly Message[],
): { readonly question: Message; readonly models: readonly string[] } | undefined {
  const question = messages.findLast(({ role }) => role === "user");
  const models = question?.metadata.asked_models;
  if (!question || !Array.isArray(models)) return undefined;
  const isAnswer = ({ role, reply_to }: Message) => role === "assistant" && reply_to === question.id;
  const isLast = messages.every((one) => one.seq <= question.seq || isAnswer(one));
  return isLast ? { question, models: models.map(String) } : undefined;
}

/** Why models gave no answer to it, by their ids. */
function failuresOf({ metadata }: Message): Readonly<Record<string, ToldFailure>> {
  return (metadata.failed_models ?? {}) as Readonly<Record<string, ToldFailure>>;
}

interface SideBySideProps {
  readonly question: Message;
  readonly models: readonly string[];
  readonly talk: LiveConversation;
  readonly deeds: MessageDeeds;
}

/** What each of several models answered the same, as far as they are. They answer one after another. */
export function SideBySide({ question, models, talk, deeds }: SideBySideProps) {
  const { t } = useTexts();
  const { messages, isRunning, streaming } = talk;
  const { session_id, id: message_id } = question;
  const shown = messages.filter(({ reply_to, role }) => role === "assistant" && reply_to === message_id);
  const { data } = useQuery({
    queryKey: [
      "session",
      "answers",
      session_id,
      message_id,
      isRunning,
      streaming?.id,
      ...shown.map(({ id, revision }) => `${id} ${revision}`),
    ],
    queryFn: () =>
      parley.get("/api/sessions/{session_id}/messages/{message_id}/answers", { path: { session_id, message_id } }),
    placeholderData: (before) => before,
  });
  const given = data?.items ?? [];
  const of = (model: string) => given.find(({ message }) => message.metadata.asked_model === model);
  const failures = failuresOf(question);
  const answering = streaming && askedByTrace.get(streaming.traceId);
  return (
    <div className={messageCss.sideBySide} data-testid="side-by-side">
      {models.map((model) => (
        <Column
          key={model}
          model={model}
          answer={of(model)}
          said={model === answering ? (streaming?.text ?? "") : ""}
          failure={failures[model]}
          isOpen={isRunning}
          deeds={deeds}
        />
      ))}
      <Text size="xs" c="dimmed" className={messageCss.sideHint}>
        {t("sideBySideHint")}
      </Text>
    </div>
  );
}

interface ColumnProps {
  readonly model: string;
  readonly answer: Shapes["Answer"] | undefined;
  readonly said: string;
  /** Why it gave no answer. */
  readonly failure: ToldFailure | undefined;
  /** It is answering, or will be asked. */
  readonly isOpen: boolean;
  readonly deeds: MessageDeeds;
}

function Column({ model, answer, said, failure, isOpen, deeds }: ColumnProps) {
  const { t } = useTexts();
  const nameOf = useModelName();
  const message = answer?.message;
  const name = nameOf(message ?? { model: null, model_id: model });
  const text = message?.content ?? said;
  return (
    <article className={messageCss.message} data-role="assistant" data-testid="side-answer">
      <div className={textCss.meta}>
        <b>{name}</b>
      </div>
      {text !== "" ? (
        <div className={messageCss.bubble} dir="auto">
          <RichText text={text} isGrowing={message === undefined} />
        </div>
      ) : (
        <Text size="sm" component="div" c={failure ? "var(--mantine-color-error)" : "dimmed"} data-testid="side-none">
          {failure ? <WhyUnanswered failure={failure} /> : t(isOpen ? "sideWaits" : "sideNone")}
        </Text>
      )}
      {message && (
        <div className={messageCss.row}>
          {answer.branch_id === null ? (
            <Text size="xs" data-testid="side-shown">
              {t("sideShown")}
            </Text>
          ) : (
            deeds.mayChange && (
              <Button
                size="compact-xs"
                variant="light"
                className={messageCss.whenIdle}
                onClick={() => answer.branch_id !== null && deeds.showBranch(message, answer.branch_id)}
                data-testid="side-choose"
              >
                {t("sideChoose")}
              </Button>
            )
          )}
          <Copy message={message} />
          <Acts all={explainOf(message, deeds, t)} />
          {deeds.mayChange && answer.branch_id === null && <Acts all={ratingsOf(message, deeds, t)} />}
          {message.usage && <Usage usage={message.usage} />}
        </div>
      )}
    </article>
  );
}

import type { CardElement, ElementItem, Message, MessageElement, PressableElement } from "@parley/core";
import { MarkdownText } from "../markdown/markdown.tsx";
import { AttachmentView } from "../message/attachment.tsx";
import { ElementButtons } from "./element-buttons.tsx";
import { ElementSelect } from "./element-select.tsx";
import elementsCss from "./elements.module.css";
import { useElementPress } from "./use-element-press.ts";

interface MessageElementsProps {
  readonly message: Message;
  /** False for a message that asks the people of a channel, and without the right to write. */
  readonly canPress: boolean;
}

/** The buttons, lists and cards of a message. */
export function MessageElements({ message, canPress }: MessageElementsProps) {
  const { elements = [] } = message;
  if (elements.length === 0) return null;
  return (
    <div className={elementsCss.elements} data-testid="elements">
      {elements.map((element, at) => (
        <Element key={at} element={element} message={message} canPress={canPress} />
      ))}
    </div>
  );
}

function Element({ element, ...rest }: MessageElementsProps & { readonly element: MessageElement }) {
  if (element.type === "card") return <Card card={element} {...rest} />;
  return <Pressable element={element} {...rest} />;
}

function Card({ card, ...rest }: MessageElementsProps & { readonly card: CardElement }) {
  const { title, text, image, buttons } = card;
  return (
    <section className={elementsCss.card} aria-label={title} data-testid="element-card">
      {image !== undefined && (
        <AttachmentView attachment={{ type: "image", url: image, name: title }} isForModel={false} />
      )}
      <strong dir="auto">{title}</strong>
      {text !== "" && (
        <div dir="auto">
          <MarkdownText text={text} />
        </div>
      )}
      {buttons && <Pressable element={buttons} {...rest} />}
    </section>
  );
}

function Pressable({ element, message, canPress }: MessageElementsProps & { readonly element: PressableElement }) {
  const state = useElementPress(message, element, canPress);
  const links = element.items.filter(isLink);
  return (
    <>
      {element.type === "select" ? (
        <ElementSelect element={element} state={state} links={links} />
      ) : (
        <ElementButtons element={element} state={state} />
      )}
      <p className={elementsCss.note} role="status" data-testid="element-note">
        {state.note}
      </p>
    </>
  );
}

function isLink({ url }: ElementItem): boolean {
  return url !== undefined;
}

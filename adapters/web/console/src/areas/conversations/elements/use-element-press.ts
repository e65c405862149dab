import type { Message, PressableElement } from "@parley/core";
import { useContext, useState } from "react";
import { ApiError, parley } from "../../../shared/api/client.ts";
import { getServiceTime } from "../../../shared/api/service-clock.ts";
import { formatError } from "../../../shared/ui/common.tsx";
import { toSentenceCase } from "../../../shared/ui/text/to-sentence-case.ts";
import { useTexts } from "../texts.ts";
import { PressedItemsContext } from "./pressed-items.ts";

/** Codes of rejections after which the element stays closed; after others the person may try again. */
const FINAL_CODES: ReadonlySet<string> = new Set(["conflict", "not_found", "permission_denied"]);

/** The state of an element for one reader, and its press. */
export interface ElementPressState {
  readonly chosenId: string | undefined;
  /** True when nothing can be chosen (any more). */
  readonly isOver: boolean;
  readonly isSending: boolean;
  /** The item that was pressed here, until the press is rejected. */
  readonly sentId: string | undefined;
  /** The choice, or the reason why there can be none; "" while it is open. */
  readonly note: string;
  press(itemId: string): void;
}

export function useElementPress(message: Message, element: PressableElement, canPress: boolean): ElementPressState {
  const { t, language } = useTexts();
  const chosenId = useContext(PressedItemsContext).get(element.id);
  const [sentId, setSentId] = useState<string>();
  const [error, setError] = useState<unknown>();
  const isRejected = error instanceof ApiError && FINAL_CODES.has(error.code);
  const isExpired = Date.parse(String(message.metadata.elements_expire_at)) <= getServiceTime();
  const isOver = chosenId !== undefined || isRejected || isExpired || !canPress;
  const isSending = sentId !== undefined && chosenId === undefined;
  const label = element.items.find(({ id }) => id === chosenId)?.label;
  const send = async (itemId: string) => {
    setSentId(itemId);
    setError(undefined);
    const { id: message_id, session_id } = message;
    const body = { message_id, element_id: element.id, item_id: itemId, language, wait: false };
    await parley.post("/api/sessions/{session_id}/press", { path: { session_id }, body });
  };
  const toNote = () => {
    if (chosenId !== undefined) return t("elementChosen", { label: label ?? "" });
    if (error !== undefined) return toSentenceCase(formatError(error, t));
    if (!canPress) return t("elementOfOthers");
    return isExpired ? t("elementExpired") : "";
  };
  return {
    chosenId,
    isOver,
    isSending,
    sentId,
    note: toNote(),
    press(itemId) {
      if (isOver || isSending) return;
      send(itemId).catch((failure) => {
        setSentId(undefined);
        setError(failure);
      });
    },
  };
}

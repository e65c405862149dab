import Joi from "@hapi/joi";
import type { ElementPress } from "../../elements/elements.ts";
import { type ExtensionPoint, extensionPoint } from "../../extension-point.ts";
import type { Localized } from "../../localized.ts";
import type { InboundPress } from "../../message.ts";
import { functionSchema, validateWith, wordSchema } from "../../validation/joi-schemas.ts";
import type { OfferedElements } from "./chat-command.ts";
import type { Turn, TurnContext } from "./turn-stage.ts";

/** An answer with elements below its text. */
export interface AnswerWithElements extends OfferedElements {
  readonly text: string | Localized;
}

/** Answers the presses of a plugin's elements. */
export interface ElementHandler {
  /** Name that `PressRules.handler` refers to: `<plugin>.<what>`. */
  readonly id: string;
  /** True lets a press overtake the queue of its session, for elements that a running turn waits for. */
  readonly isImmediate?: boolean;
  /**
   * Rejects with an `AppError` a press without effect, such as one by a person without the right: its message is shown
   * to that person, and the element stays open.
   */
  check?(press: ElementPress, message: InboundPress): Promise<void>;
  /**
   * Runs a press and returns the answer; null: it is answered like a message with the item's label. It runs again when
   * the process ends before the turn does. An `AppError` becomes its message.
   */
  run(press: ElementPress, turn: Turn, context: TurnContext): Promise<string | Localized | AnswerWithElements | null>;
}

/** Handlers of elements. */
export const ElementHandlers: ExtensionPoint<ElementHandler> = extensionPoint("element-handlers", {
  accept: validateWith(
    Joi.object({
      id: wordSchema.required(),
      isImmediate: Joi.boolean(),
      check: functionSchema,
      run: functionSchema.required(),
    }).unknown(),
  ),
  unique: { kind: "element handler", names: ({ id }) => [id] },
  ends: ["check", "run"],
});

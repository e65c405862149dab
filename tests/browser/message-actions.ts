import type { Locator } from "playwright-core";

/** Actions in a message's menu. */
type MessageAction =
  | "quote"
  | "regenerate-with"
  | "continue-reply"
  | "read-aloud"
  | "star-message"
  | "edit"
  | "fork-here"
  | "share-to-here"
  | "delete";

/** Runs an action from a message's menu. */
export async function runMessageAction(message: Locator, name: MessageAction): Promise<void> {
  await message.hover();
  await message.getByTestId("message-menu").click();
  await message.page().getByTestId("message-menu-items").getByTestId(name).click();
}

/** Opens the explanation of an answer, or the outcome of a message, by the button below it. */
export async function openExplanation(message: Locator): Promise<void> {
  await message.hover();
  await message.getByTestId("explain").or(message.getByTestId("show-processing")).click();
}

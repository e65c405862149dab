import {
  ChatCommands,
  type DefinedPlugin,
  definePlugin,
  ElementHandlers,
  type ElementPress,
  type MessageElement,
} from "@parley/core";

const DRINK: MessageElement = {
  type: "buttons",
  id: "drink",
  items: [
    { id: "tea", label: "Tea" },
    { id: "coffee", label: "Coffee", style: "primary" },
    { id: "more", label: "Menu", url: "https://example.com/menu" },
  ],
};
const FORMS: Readonly<Record<string, readonly MessageElement[]>> = {
  card: [
    {
      type: "card",
      title: "Two cups",
      text: "A quiet **corner** table.",
      buttons: { type: "buttons", id: "book", items: [{ id: "cancel", label: "Cancel the table", style: "danger" }] },
    },
  ],
  select: [
    {
      type: "select",
      id: "size",
      placeholder: "Pick a size",
      items: [
        { id: "small", label: "Small" },
        { id: "large", label: "Large" },
      ],
    },
  ],
};

/** A plugin whose command `/ask` asks with buttons, a list or a card, and answers the presses that its handler gets. */
export function createAskingPlugin(presses: ElementPress[] = []): DefinedPlugin {
  return definePlugin({
    id: "asking",
    register({ contribute }) {
      contribute(ChatCommands, () => ({
        name: "/ask",
        usage: "/ask [handled | alone | brief | card | select]",
        help: "Asks",
        category: "general",
        adminOnly: false,
        run: async () => "Tea or coffee?",
        elements: (rest, { inbound }) => ({
          elements: FORMS[rest] ?? [DRINK],
          press: {
            ...(rest === "handled" && { handler: "asking.drink", data: { table: "4" } }),
            ...(rest === "alone" && { allowed: [inbound.sender.id] }),
            ...(rest === "brief" && { ttlS: 60 }),
          },
        }),
      }));
      contribute(ElementHandlers, () => ({
        id: "asking.drink",
        async run(press) {
          presses.push(press);
          return { en: `One ${press.itemId}.`, zh: `一份 ${press.itemId}。` };
        },
      }));
    },
  });
}

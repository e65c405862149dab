import { ChatCommands, Databases, definePlugin, ElementHandlers, RouteTables, route } from "@parley/core";
import { answerFields } from "@parley/core/http";
import { createEventCounter } from "./event-counter.ts";

const counter = createEventCounter("pressed");

/** Offers buttons by the command `/offer`, and counts the presses of each conversation with the end of their turns. */
export default definePlugin({
  id: "pressing",
  requires: [Databases],
  register({ contribute }) {
    contribute(ChatCommands, () => ({
      name: "/offer",
      usage: "/offer",
      help: "Offers buttons",
      category: "general",
      adminOnly: false,
      run: async () => "Yes or no?",
      elements: () => ({
        elements: [
          {
            type: "buttons",
            id: "answer",
            items: [
              { id: "yes", label: "Yes" },
              { id: "no", label: "No" },
            ],
          },
        ],
        press: { handler: "pressing.count" },
      }),
    }));
    contribute(ElementHandlers, () => ({
      id: "pressing.count",
      async run(press, turn, context) {
        context.record(counter.write(turn.session.id));
        return `You chose ${press.itemId}.`;
      },
    }));
    contribute(RouteTables, (from) => [
      route({
        method: "GET",
        path: "/api/pressed",
        scope: "read",
        summary: "How many presses each session had",
        data: answerFields.mapOf(answerFields.count),
        run: () => counter.read(from),
      }),
    ]);
  },
  start: (context) => counter.open(context),
});

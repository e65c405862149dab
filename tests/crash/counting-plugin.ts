import { Databases, definePlugin, RouteTables, route, TurnStages, withEffects } from "@parley/core";
import { answerFields } from "@parley/core/http";
import { createEventCounter } from "./event-counter.ts";

const counter = createEventCounter("counted");

/** Counts the answers of each session with an effect. */
export default definePlugin({
  id: "counting",
  requires: [Databases],
  register({ contribute }) {
    contribute(TurnStages, () => ({
      id: "counting.answers",
      phase: "context" as const,
      run: async (turn) => withEffects(turn, { writes: [counter.write(turn.session.id)] }),
    }));
    contribute(RouteTables, (from) => [
      route({
        method: "GET",
        path: "/api/counted",
        scope: "read",
        summary: "How many answers each session had",
        data: answerFields.mapOf(answerFields.count),
        run: () => counter.read(from),
      }),
    ]);
  },
  start: (context) => counter.open(context),
});

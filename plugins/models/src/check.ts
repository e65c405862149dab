import type { Check, Finding } from "@parley/core";
import type { HealthView, Line } from "./calls/line.ts";
import type { Catalog, ConfiguredModel } from "./catalog.ts";

const PAGE = "/models";

/** Whether a chat model is set up, and the one in force answers. */
export function modelsCheck(catalog: () => Pick<Catalog, "configured">, line: () => Pick<Line, "view">): Check {
  return {
    id: "models",
    async run() {
      const model = await catalog().configured("chat");
      if (!model || model.source === "offline") return [NONE];
      const view = await line().view(model);
      return view.state === "healthy" || view.state === "disabled" ? [] : [failing(model, view)];
    },
  };
}

const NONE: Finding = {
  key: "models.none",
  level: "warning",
  said: "no AI model is set up: the offline companion answers",
  advice: "add a model on the page Models",
  page: PAGE,
};

function failing({ fields: { name } }: ConfiguredModel, { state, last_error }: HealthView): Finding {
  const isSpent = state === "exhausted";
  const reason = isSpent ? "its token limit is reached" : (last_error?.detail ?? "it rests after failures");
  return {
    key: isSpent ? "models.exhausted" : "models.failing",
    level: "problem",
    said: `the model ${name} does not answer: ${reason}`,
    advice: "test it on the page Models: its key, its address, its limits",
    parameters: { model: name, reason },
    page: PAGE,
  };
}

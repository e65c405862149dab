import { Alert, Button, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { parley } from "../api/client.ts";
import { toVisibleText } from "../forms/untrusted-schema.ts";
import { Failure, useAction } from "../ui/common.tsx";
import { useTexts } from "./texts.ts";

const REJECTIONS_KEY = ["model", "rejected-tools"] as const;

const fetchRejections = async () => (await parley.get("/api/ai-models/failover-status")).refused_tools;

/** Names the models whose provider rejects a tool, with the reason, and can reset that; renders nothing where none does. */
export function RejectedTool({ name }: { readonly name: string }) {
  const { t } = useTexts();
  const { data = [] } = useQuery({ queryKey: REJECTIONS_KEY, queryFn: fetchRejections });
  const { toHandler, isBusy, error } = useAction([REJECTIONS_KEY]);
  const own = data.filter(({ tool }) => tool === name);
  if (own.length === 0) return null;
  const resetRejections = () => parley.post("/api/ai-models/failover-reset", { body: { tool: name } });
  return (
    <Alert color="yellow" py="xs" title={t("rejected")} data-testid="tool-rejected">
      {own.map(({ model_id, model, detail }) => (
        <Text key={model_id} size="sm" style={{ overflowWrap: "anywhere" }}>
          {t("rejectedBy", { model, why: toVisibleText(detail, 500) })}
        </Text>
      ))}
      <Button
        size="compact-sm"
        variant="default"
        mt="xs"
        loading={isBusy}
        onClick={toHandler(resetRejections)}
        data-testid="offer-again"
      >
        {t("offerAgain")}
      </Button>
      <Failure error={error} />
    </Alert>
  );
}

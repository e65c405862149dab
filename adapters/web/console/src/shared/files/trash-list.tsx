import { useQuery } from "@tanstack/react-query";
import { Failure, formatShortTime, Loaded, useAction } from "../ui/common.tsx";
import { IconButton } from "../ui/element/icon-button.tsx";
import { ConfirmButton } from "../ui/feedback/confirm.tsx";
import { Empty } from "../ui/page/empty.tsx";
import { RequireChangeScope } from "../ui/page/permissions.tsx";
import { RecordRow, RecordTable } from "../ui/table/record-table.tsx";
import { workspace } from "./api.ts";
import { useTexts } from "./texts.ts";

const QUERY_KEYS = [["workspace"]] as const;

/** Files deleted in the last seven days, of all workspaces. */
export function TrashList() {
  const { t, language } = useTexts();
  const query = useQuery({ queryKey: ["workspace", "trash"], queryFn: workspace.deleted });
  const { toHandler, error } = useAction(QUERY_KEYS);
  return (
    <>
      <Failure error={error} />
      <Loaded query={query}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty icon="trash" title={t("trashEmpty")} isSmall />
          ) : (
            <RecordTable columns={[t("where"), t("changed")]} actions={t("deeds")}>
              {items.map(({ id, name, path, deleted_at }) => (
                <RecordRow
                  key={id}
                  testId="trash-row"
                  cells={[path, formatShortTime(deleted_at, language)]}
                  actions={
                    <>
                      <RequireChangeScope>
                        <IconButton
                          icon="refresh"
                          label={t("putBack")}
                          testId="put-back"
                          onClick={toHandler(() => workspace.putBack(id))}
                        />
                      </RequireChangeScope>
                      <ConfirmButton
                        icon="trash"
                        label={t("forGood")}
                        what={name}
                        run={toHandler(() => workspace.forget(id), { throws: true })}
                      />
                    </>
                  }
                />
              ))}
            </RecordTable>
          )
        }
      </Loaded>
    </>
  );
}

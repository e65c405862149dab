import { Failure, formatShortTime, useAction } from "../ui/common.tsx";
import { IconButton } from "../ui/element/icon-button.tsx";
import { ConfirmButton } from "../ui/feedback/confirm.tsx";
import { Empty } from "../ui/page/empty.tsx";
import { RequireChangeScope } from "../ui/page/permissions.tsx";
import { RecordList } from "../ui/table/record-list.tsx";
import { RecordRow } from "../ui/table/record-table.tsx";
import { usePagedList } from "../ui/table/use-paged-list.ts";
import { workspace } from "./api.ts";
import { useTexts } from "./texts.ts";

const QUERY_KEYS = [["workspace"]] as const;

/** Files deleted in the last seven days, of all workspaces. */
export function TrashList() {
  const { t, language } = useTexts();
  const query = usePagedList({ queryKey: ["workspace", "trash"], read: workspace.listDeleted, getId: ({ id }) => id });
  const { toHandler, error } = useAction(QUERY_KEYS);
  return (
    <>
      <Failure error={error} />
      <RecordList
        query={query}
        getId={({ id }) => id}
        columns={[t("originalPath"), t("deletedAt")]}
        actions={t("actions")}
        empty={<Empty icon="trash" title={t("trashEmpty")} isSmall />}
        isEndless
        row={({ id, name, path, deleted_at }) => (
          <RecordRow
            testId="trash-row"
            cells={[path, formatShortTime(deleted_at, language)]}
            actions={
              <>
                <RequireChangeScope>
                  <IconButton
                    icon="refresh"
                    label={t("restore")}
                    testId="put-back"
                    onClick={toHandler(() => workspace.restore(id))}
                  />
                </RequireChangeScope>
                <ConfirmButton
                  icon="trash"
                  label={t("deletePermanently")}
                  what={name}
                  run={toHandler(() => workspace.deletePermanently(id), { throws: true })}
                />
              </>
            }
          />
        )}
      />
    </>
  );
}

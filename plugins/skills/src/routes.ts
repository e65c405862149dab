import Joi from "@hapi/joi";
import { type RouteTable, route } from "@parley/core";
import { toggleBody, toggledData } from "@parley/core/http";
import { removedData, type UploadForm, uploadedData, uploadForm } from "./schema.ts";
import type { Skills, SkillView } from "./skills.ts";
import { MAX_FOLDER_BYTES } from "./storage/skill-folders.ts";
import { readUpload } from "./storage/upload.ts";

const basePath = "/api/skills";
const MULTIPART_BYTES = 1024 * 1024;
const removeQuery = Joi.object<{ readonly delete_storage: boolean }>({ delete_storage: Joi.boolean().default(true) });

/** Creates the routes of skills besides CRUD and folders. */
export function createSkillRoutes(skills: Skills): RouteTable {
  return [
    route({
      method: "DELETE",
      path: `${basePath}/{skill_id}`,
      summary: "delete a skill",
      scope: "admin",
      query: removeQuery,
      data: removedData,
      async run({ params: { skill_id: id }, query, caller, ifMatch }) {
        const { storage_deleted } = await skills.remove(id, query.delete_storage, { caller, ifMatch });
        return { id, deleted: true, storage_deleted };
      },
    }),
    route({
      method: "POST",
      path: `${basePath}/{skill_id}/toggle`,
      summary: "switch a skill on or off",
      scope: "admin",
      body: toggleBody,
      data: toggledData,
      run: ({ params, body }) => skills.toggle(params.skill_id, body.enabled),
    }),
    route<"/api/skills/upload-folder", UploadForm>({
      method: "POST",
      path: `${basePath}/upload-folder`,
      summary: "create a skill from a folder, or the skills of an archive",
      scope: "admin",
      payload: "multipart",
      body: uploadForm,
      data: uploadedData,
      maxBytes: MAX_FOLDER_BYTES + MULTIPART_BYTES,
      timeoutMs: 120_000,
      async run({ body, parts }) {
        const { incoming, skipped } = await readUpload(body, parts);
        const made = await skills.putAll(incoming);
        const files_count = incoming.reduce((sum, { files }) => sum + files.length, 0);
        return { skill: made[0] as SkillView, skills: made, files_count, skipped };
      },
    }),
  ];
}

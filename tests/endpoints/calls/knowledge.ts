import type { Call, Seed } from "../calls.ts";

let count = 0;

const createDocument = async ({ api }: Seed): Promise<{ readonly doc_id: string }> => {
  const draft = {
    title: `document ${++count}`,
    content: `# Tea\n\nGreen tea number ${count} is brewed at 80 degrees.`,
  };
  return { doc_id: (await api.post<{ id: string }>("/api/knowledge", draft)).id };
};
const DOCUMENT = ["id", "title", "content", "preview", "size", "chunk_count", "indexed", "index_status", "base_id"];

/** A working call of every route of knowledge. */
export const KNOWLEDGE_CALLS: Readonly<Record<string, Call>> = {
  "GET /api/knowledge": { params: createDocument, gives: ["items", "total", "limit", "offset"] },
  "POST /api/knowledge": { body: { title: "one document", content: "what it says" }, gives: DOCUMENT },
  "GET /api/knowledge/{doc_id}": { params: createDocument, gives: DOCUMENT },
  "PUT /api/knowledge/{doc_id}": { params: createDocument, body: { content: "another text" }, gives: DOCUMENT },
  "DELETE /api/knowledge/{doc_id}": { params: createDocument, gives: ["id", "deleted"] },
  "POST /api/knowledge/{doc_id}/index": {
    params: createDocument,
    gives: ["id", "chunks", "index_status", "index_model"],
  },
  "POST /api/knowledge/batch": {
    body: {
      documents: [
        { name: "by name", content: "one" },
        { title: "", content: "none" },
      ],
    },
    gives: ["imported", "failed", "items", "errors"],
  },
  "POST /api/knowledge/batch-delete": {
    params: createDocument,
    body: ({ doc_id }) => ({ doc_ids: [doc_id, "doc_unknown"] }),
    gives: ["deleted", "failed", "ids", "errors"],
    except: { unknownId: "is an error of its item" },
  },
  "GET /api/knowledge/stats": {
    gives: ["total_documents", "indexed", "stale", "total_chunks", "bases", "embedding", "rebuild"],
  },
  "POST /api/knowledge/search": {
    params: createDocument,
    body: { query: "how is green tea brewed?" },
    gives: ["items", "total", "mode", "embedding_local"],
  },
  "POST /api/knowledge/rebuild": { body: {}, gives: ["rebuilt_documents", "rebuilt_chunks", "failed"] },
  "GET /api/knowledge/export": { gives: ["version", "type", "documents", "total"] },
};

/** A working call of every route that is not in the contract. */
export const OUR_KNOWLEDGE_CALLS: Readonly<Record<string, Call>> = {
  "GET /api/knowledge/{doc_id}/passages": { params: createDocument, gives: ["doc_id", "items"] },
  "POST /api/knowledge/files": {
    headers: { "content-type": "multipart/form-data; boundary=b" },
    body: '--b\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\nhello\r\n--b--\r\n',
    gives: ["items", "failed"],
    except: { unknownKey: "it is a form" },
  },
  "POST /api/knowledge/pages": { body: { url: "http://127.0.0.1:9/" }, gives: ["items", "failed"] },
  "POST /api/knowledge/preview": {
    params: createDocument,
    body: { query: "how is green tea brewed?" },
    gives: ["text", "citations"],
  },
};

import type { Documented } from "../../../v2-kit/openapi/operation"
import { openApi } from "./answers"

export const operations: readonly Documented[] = [
  {
    method: "GET",
    path: "/openapi.json",
    id: "getOpenApi",
    tag: "This document",
    summary: "Get this document",
    description: "Needs no key. Its servers are those of the deployment that answers.",
    answer: {
      description: "The document.",
      schema: openApi,
      example: { openapi: "3.1.0", info: {}, servers: [], paths: {}, webhooks: {}, components: {} },
    },
  },
]

import { LIMITED } from "../support/limited"
import { shareStore } from "../support/store"

shareStore({ production: true, env: LIMITED }, [
  "http/allow-list-behind-proxy",
  "http/error-shapes",
  "http/openapi-document",
  "http/rate-limits",
  "http/request-bodies",
  "http/request-ids",
  "http/unknown-paths",
  "http/validation",
])

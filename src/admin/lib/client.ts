/** The admin may be served from another address than the API; Medusa's bundler puts that in here. */
declare const __BACKEND_URL__: string | undefined

const base = (typeof __BACKEND_URL__ === "undefined" ? "" : __BACKEND_URL__).replace(/\/$/, "")

/** Reads JSON from the admin API with the admin's own session; an error carries the API's own words. */
export async function getJson<Answer>(path: string, signal: AbortSignal): Promise<Answer> {
  const response = await fetch(`${base}${path}`, {
    credentials: "include",
    headers: { Accept: "application/json" },
    signal,
  })
  const body: unknown = await response.json().catch(() => null)
  if (!response.ok) {
    const message = (body as { message?: unknown } | null)?.message
    throw new Error(typeof message === "string" ? message : `The server answered ${response.status}`)
  }
  return body as Answer
}

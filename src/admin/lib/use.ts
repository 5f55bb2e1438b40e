import { useQueryClient } from "@tanstack/react-query"
import { useCallback, useEffect, useRef, useState } from "react"
import { useSearchParams } from "react-router-dom"
import type { Area } from "../../api/admin-kit/areas"
import { useFrame } from "./admin-api"
import { refreshAll, useAdminMutation } from "./data"
import { areaOfPage } from "./pages"
import { useText } from "./text"

/**
 * The members of `next` that differ from those of `before`; lists are compared by their entries. A form that sent all of
 * them would undo what somebody else has changed since it was opened.
 */
export function changedMembers<Body extends object>(next: Body, before: Body): Partial<Body> {
  const names = Object.keys(next) as (keyof Body)[]
  return Object.fromEntries(
    names.filter((name) => !isSame(next[name], before[name])).map((name) => [name, next[name]])
  ) as Partial<Body>
}

function isSame(one: unknown, other: unknown): boolean {
  return Array.isArray(one) && Array.isArray(other)
    ? one.length === other.length && one.every((entry, index) => entry === other[index])
    : one === other
}

export type { Area }

/** The area of what belongs to a payment or a refund, by its path. */
export function areaOf(path: string): Area {
  return path.startsWith("/refunds/") ? "refunds" : "payments"
}

/**
 * Why the signed-in admin may not change anything in an area, or not delete it; undefined: they may, or it is not known
 * yet. The API decides: this only spares them a question whose answer it would refuse.
 */
export function useForbidden(area: Area | undefined, operation: "change" | "delete" = "change"): string | undefined {
  const say = useText()
  const { data: frame } = useFrame()
  const permitted = operation === "delete" ? frame?.deletable_areas : frame?.changeable_areas
  const mayAct = area === undefined || permitted === undefined || permitted.includes(area)
  return mayAct ? undefined : say("common.not_allowed")
}

/** Whether the signed-in admin may read a page, by its path. Until it is known, and of pages that are not ours: yes. */
export function useMayOpen(): (to: string) => boolean {
  const { data: frame } = useFrame()
  const readable = frame?.readable_areas
  return useCallback(
    (to: string) => {
      const area = areaOfPage(to)
      return area === undefined || readable === undefined || readable.includes(area)
    },
    [readable]
  )
}

type Options<Draft> = {
  path: (draft: Draft) => string
  /** What is sent: what the admin has changed since the form was opened, and nothing else. Empty: nothing is sent. */
  change: (draft: Draft, opened: Draft) => object
  done: () => string
}

/**
 * A form that changes something. What it opened with is kept, because others may change the same thing meanwhile, and
 * errors of the last time are gone when it opens again.
 */
export function useEditForm<Draft>({ path, change, done }: Options<Draft>) {
  const [form, setForm] = useState<{ opened: Draft; draft: Draft } | null>(null)
  const close = () => setForm(null)
  const save = useAdminMutation<{ draft: Draft; body: object }>(
    { path: ({ draft }) => path(draft), body: ({ body }) => body },
    { done, onDone: close }
  )
  const submit = ({ draft, opened }: { opened: Draft; draft: Draft }) => {
    const body = change(draft, opened)
    return Object.keys(body).length === 0 ? close() : save.mutate({ draft, body })
  }
  return {
    /** Null: the form is closed. */
    draft: form === null ? null : form.draft,
    error: save.error,
    start: (opened: Draft) => {
      save.reset()
      setForm({ opened, draft: opened })
    },
    edit: (draft: Draft) => setForm((now) => now && { ...now, draft }),
    /** Of the drawer around its fields. */
    drawer: {
      open: form !== null,
      onClose: close,
      pending: save.isPending,
      onSubmit: () => form && submit(form),
    },
  }
}

const OPENED = "opened"

/** The id of an open drawer is in the address: a link leads to the open drawer, and Back closes it. */
export function useOpened(): [id: string | null, open: (id: string | null) => void] {
  const [params, setParams] = useSearchParams()
  const open = useCallback(
    (id: string | null) =>
      setParams((before) => {
        const after = new URLSearchParams(before)
        if (id === null) {
          after.delete(OPENED)
        } else {
          after.set(OPENED, id)
        }
        return after
      }),
    [setParams]
  )
  return [params.get(OPENED), open]
}

export const POLL_MS = 1_500

type PolledRefetch = (options: { cancelRefetch: boolean }) => Promise<unknown>

/** Polls while something is under way; when it has ended, refetches everything else that shows it. */
export function usePolling(isUnderWay: boolean, refetch: PolledRefetch, everyMs = POLL_MS): void {
  const client = useQueryClient()
  const wasUnderWay = useRef(false)
  useEffect(() => {
    if (wasUnderWay.current && !isUnderWay) {
      void refreshAll(client)
    }
    wasUnderWay.current = isUnderWay
    // On a slow line an answer takes longer than a round: to cancel its request would mean that none ever comes.
    const poll = () => void refetch({ cancelRefetch: false })
    const timer = isUnderWay ? setInterval(poll, everyMs) : undefined
    return () => clearInterval(timer)
  }, [client, isUnderWay, refetch, everyMs])
}

import { useState } from "react"
import { useAdminMutation } from "./data"

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

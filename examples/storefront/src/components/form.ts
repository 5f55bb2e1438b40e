import { byId } from "../lib/dom"
import { setFieldError } from "./field"
import { isBusy } from "./notice"

type FormProps<Name extends string, Read extends { problems: Map<Name, string> }> = {
  fields: readonly Name[]
  button: HTMLButtonElement
  read: (valueOf: (name: Name) => string) => Read
  /** Runs when nothing is wrong. */
  send: (read: Read) => Promise<void>
  /** Runs when something is, before the first field with a problem gets the focus. */
  onProblems?: (count: number) => void
}

/** The listeners of a form that checks what was typed: at first when it is sent, and then while it is corrected. */
export function checkedForm<Name extends string, Read extends { problems: Map<Name, string> }>(
  form: () => HTMLFormElement,
  props: () => FormProps<Name, Read>
): { onSubmit: (event: SubmitEvent) => void; onInput: (event: Event) => void } {
  const readNow = () => props().read((name) => byId<HTMLInputElement>(form(), name).value)
  return {
    /** Updates a shown problem while the shopper types; shows no new one. */
    onInput(event) {
      const { id } = event.target as HTMLInputElement
      const name = props().fields.find((one) => one === id)
      if (name !== undefined && byId(form(), name).hasAttribute("aria-invalid")) {
        setFieldError(form(), name, readNow().problems.get(name) ?? null)
      }
    },
    onSubmit(event) {
      event.preventDefault()
      const { fields, button, send, onProblems } = props()
      if (isBusy(button)) {
        return
      }
      const read = readNow()
      fields.forEach((name) => setFieldError(form(), name, read.problems.get(name) ?? null))
      const first = fields.find((name) => read.problems.has(name))
      if (first === undefined) {
        void send(read)
        return
      }
      onProblems?.(read.problems.size)
      byId(form(), first).focus()
    },
  }
}

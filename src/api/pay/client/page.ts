import type * as CardRules from "../form/card-rules"

/**
 * What the page does beyond plain HTML. The browser gets the source text of these functions (script.ts), so they may
 * use the browser, their arguments and each other, and nothing imported. Text is inserted only as text, never as HTML.
 */
type Rules = typeof CardRules

export function start(rules: Rules): void {
  document.documentElement.classList.add("js")
  const time = document.querySelector<HTMLElement>("[data-seconds]")
  if (time) {
    countDown(time)
  }
  const form = document.querySelector<HTMLFormElement>("form[data-problems]")
  if (form) {
    askInSteps(form, rules)
    formatCard(form, rules)
    checkOnLeave(form, rules)
    payOnce(form, rules)
    offerTestCards(form)
  }
  window.addEventListener("load", () => {
    const problems = document.querySelector<HTMLElement>("#problems")
    if (document.activeElement === document.body) {
      problems?.focus()
    }
  })
  document.querySelectorAll<HTMLElement>("[data-back]").forEach((button) => {
    button.hidden = history.length < 2
    button.addEventListener("click", () => history.back())
  })
}

export function announce(text: string): void {
  document.querySelector("#announcements")?.replaceChildren(text)
}

/** `asciiDigits` of the server, without what is no digit: this function runs in the browser, alone. */
export function asciiDigitsOnly(text: string): string {
  const valueOf = (code: number, zero = code): number =>
    /\p{Nd}/u.test(String.fromCodePoint(zero - 1)) ? valueOf(code, zero - 1) : (code - zero) % 10
  return (text.match(/\p{Nd}/gu) ?? []).map((digit) => valueOf(digit.codePointAt(0) ?? 0)).join("")
}

/** Counts by the time elapsed on the page, not by the shopper's clock, which may be wrong. */
export function countDown(time: HTMLElement): void {
  const end = Date.now() + Number(time.dataset.seconds) * 1000
  const output = time.querySelector("b")
  const announceAt = [600, 300, 60]
  let previous = Infinity
  const tick = () => {
    const left = Math.max(0, Math.round((end - Date.now()) / 1000))
    const text = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`
    const local = (digits: string) =>
      document.documentElement.lang === "bn"
        ? digits.replace(/[0-9]/g, (digit) => String.fromCharCode(0x09e6 + Number(digit)))
        : digits
    if (output) {
      output.textContent = local(text)
    }
    time.classList.toggle("short", left <= 120)
    if (announceAt.some((mark) => left <= mark && previous > mark && previous !== Infinity)) {
      announce((time.dataset.announce ?? "").replace("{minutes}", local(String(Math.ceil(left / 60)))))
    }
    previous = left
    if (left === 0) {
      clearInterval(timer)
      announce(time.dataset.over ?? "")
      if (!document.querySelector("form[data-sent]")) {
        setTimeout(() => location.replace(location.pathname), 1500)
      }
    }
  }
  const timer = setInterval(tick, 1000)
  tick()
}

/** A wallet's fields as its own page asks for them: each once the one before it is right. */
export function askInSteps(form: HTMLFormElement, rules: Rules): void {
  const update = () => {
    let isNext = true
    for (const name of ["mobile_number", "otp", "pin"]) {
      const input = fieldOf(form, name)
      const isSeen = isNext || input?.value !== "" || input.hasAttribute("aria-invalid")
      input?.closest(".field")?.toggleAttribute("hidden", !isSeen)
      isNext &&= input !== null && problemOf(form, input, rules) === ""
    }
  }
  form.addEventListener("input", update)
  window.addEventListener("pageshow", update)
  update()
}

export function fieldOf(form: HTMLFormElement, name: string): HTMLInputElement | null {
  return form.querySelector<HTMLInputElement>(`#${name}`)
}

/** Reformats a field while it is typed in and keeps the caret behind the same digit. */
export function formatField(input: HTMLInputElement, format: (digits: string, typing: boolean) => string): void {
  input.addEventListener("input", (event) => {
    const caret = input.selectionStart ?? input.value.length
    const before = asciiDigitsOnly(input.value.slice(0, caret)).length
    const atEnd = caret === input.value.length
    const deleting = ((event as InputEvent).inputType ?? "").startsWith("delete")
    const text = format(asciiDigitsOnly(input.value), !deleting)
    if (text === input.value) {
      return
    }
    input.value = text
    let position = atEnd ? text.length : 0
    for (let seen = 0; !atEnd && position < text.length && seen < before; position += 1) {
      seen += /[0-9]/.test(text[position]) ? 1 : 0
    }
    if (document.activeElement === input) {
      input.setSelectionRange(position, position)
    }
  })
}

export function formatCard(form: HTMLFormElement, rules: Rules): void {
  const number = fieldOf(form, "card_number")
  const expiry = fieldOf(form, "card_expiry")
  const cvc = fieldOf(form, "card_cvc")
  if (!number || !expiry || !cvc) {
    return
  }
  const brand = form.querySelector(".brand")
  formatField(number, (digits) => {
    const kept = digits.slice(0, 19)
    return rules.cardBrand(kept) === "Amex"
      ? kept.replace(/^(.{4})(.{1,6})?(.*)$/, (_, a, b, c) => [a, b, c].filter(Boolean).join(" "))
      : kept.replace(/(.{4})(?=.)/g, "$1 ")
  })
  number.addEventListener("input", () => {
    const digits = asciiDigitsOnly(number.value)
    if (brand) {
      brand.textContent = rules.cardBrand(digits)
    }
    cvc.maxLength = rules.cvcLength(digits)
  })
  formatField(expiry, (digits, typing) => {
    const full = /^[2-9]/.test(digits) ? `0${digits}` : digits
    const split = full.length > 2 || (full.length === 2 && typing)
    return split ? `${full.slice(0, 2)} / ${full.slice(2, 6)}` : full
  })
  formatField(cvc, (digits) => digits)
}

/** The key of a field's problem, or "". The server decides again, by the same rules. */
export function problemOf(form: HTMLFormElement, input: HTMLInputElement, rules: Rules): string {
  const value = input.value.trim()
  const digits = asciiDigitsOnly(value)
  if (value === "") {
    return `${input.id}_required`
  }
  const [year, month] = (form.dataset.month ?? "").split("-").map(Number)
  const expiry = rules.parseExpiry(value)
  const cvcDigits = rules.cvcLength(asciiDigitsOnly(fieldOf(form, "card_number")?.value ?? ""))
  switch (input.id) {
    case "card_number":
      return rules.isCardNumber(digits) ? "" : "card_number_invalid"
    case "card_expiry":
      if (!expiry) {
        return "card_expiry_invalid"
      }
      return rules.isExpiryUsable(expiry, { month, year }) ? "" : "card_expiry_past"
    case "card_cvc":
      if (digits.length === cvcDigits) {
        return ""
      }
      return cvcDigits === 4 ? "card_cvc_invalid_amex" : "card_cvc_invalid"
    case "card_name":
      return /\p{L}/u.test(value) && !/[0-9]/.test(value) ? "" : "card_name_invalid"
    case "mobile_number":
      return /^(00)?(88)?01[3-9][0-9]{8}$/.test(digits) ? "" : "mobile_number_invalid"
    case "otp":
      return digits.length === 6 ? "" : "otp_invalid"
    case "pin":
      return digits.length >= 4 && digits.length <= 6 ? "" : "pin_invalid"
    default:
      return ""
  }
}

export function showProblem(form: HTMLFormElement, input: HTMLInputElement, problem: string): void {
  const id = `${input.id}-error`
  const described = (input.getAttribute("aria-describedby") ?? "").split(" ").filter((part) => part && part !== id)
  let text = document.getElementById(id)
  if (problem === "") {
    text?.remove()
    input.removeAttribute("aria-invalid")
  } else {
    if (!text) {
      text = document.createElement("p")
      text.id = id
      text.className = "error"
      input.closest(".field")?.append(text)
    }
    text.textContent = JSON.parse(form.dataset.problems ?? "{}")[problem] ?? ""
    input.setAttribute("aria-invalid", "true")
    described.push(id)
  }
  input.setAttribute("aria-describedby", described.join(" "))
}

export function checkOnLeave(form: HTMLFormElement, rules: Rules): void {
  form.querySelectorAll<HTMLInputElement>("[data-check]").forEach((input) => {
    input.addEventListener("blur", () => {
      if (input.value.trim() !== "") {
        showProblem(form, input, problemOf(form, input, rules))
      }
    })
    input.addEventListener("input", () => {
      if (input.hasAttribute("aria-invalid") && problemOf(form, input, rules) === "") {
        showProblem(form, input, "")
      }
    })
  })
}

/** The first press submits the form and shows that; every further press does nothing. */
export function payOnce(form: HTMLFormElement, rules: Rules): void {
  const button = form.querySelector<HTMLButtonElement>("button[type=submit]")
  const cancel = document.querySelector<HTMLElement>("form.cancel")
  const label = button ? [...button.childNodes] : []
  form.addEventListener("submit", (event) => {
    const fields = [...form.querySelectorAll<HTMLInputElement>("[data-check]")].filter(
      (field) => !field.matches(":disabled, [hidden] *")
    )
    fields.forEach((field) => showProblem(form, field, problemOf(form, field, rules)))
    const wrong = fields.find((field) => field.hasAttribute("aria-invalid"))
    if (wrong || form.dataset.sent || !button) {
      event.preventDefault()
      wrong?.focus()
      return
    }
    form.dataset.sent = "yes"
    const spinner = document.createElement("span")
    spinner.className = "spinner"
    button.replaceChildren(spinner, form.dataset.straight ?? button.dataset.paying ?? "")
    button.setAttribute("aria-disabled", "true")
    cancel?.toggleAttribute("hidden", true)
    announce(form.dataset.straight ?? form.dataset.wait ?? "")
  })
  window.addEventListener("pageshow", (event) => {
    if (event.persisted && button) {
      delete form.dataset.sent
      button.replaceChildren(...label)
      button.removeAttribute("aria-disabled")
      cancel?.toggleAttribute("hidden", false)
    }
  })
}

/** One tap fills in a test card, and the other card fields that are still empty. */
export function offerTestCards(form: HTMLFormElement): void {
  const fill = (name: string, value: string) => {
    const input = fieldOf(form, name)
    if (input) {
      input.value = value
      input.dispatchEvent(new Event("input", { bubbles: true }))
      showProblem(form, input, "")
    }
  }
  document.querySelectorAll<HTMLButtonElement>("button[data-card]").forEach((button) => {
    button.hidden = false
    button.nextElementSibling?.remove()
    button.addEventListener("click", () => {
      const radio = form.querySelector<HTMLInputElement>("input[name=method][value=card]")
      if (radio && radio.type === "radio") {
        radio.checked = true
        radio.dispatchEvent(new Event("change", { bubbles: true }))
      }
      const number = button.dataset.card ?? ""
      const nextYear = Number((form.dataset.month ?? "").slice(2, 4)) + 1
      fill("card_number", number)
      fill("card_expiry", `12 / ${nextYear}`)
      fill("card_cvc", number.length === 15 ? "1234" : "123")
      if (!fieldOf(form, "card_name")?.value) {
        fill("card_name", "Test Shopper")
      }
      button.closest("details")?.removeAttribute("open")
      form.querySelector<HTMLElement>("button[type=submit]")?.focus()
      announce(form.dataset.filled ?? "")
    })
  })
}

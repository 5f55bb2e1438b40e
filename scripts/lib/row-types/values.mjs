import ts from "typescript"
import { Literal } from "./literal.mjs"
import {
  CONSTANTS,
  GLOBALS,
  isKnown,
  isTopLevel,
  isWrapped,
  join,
  loopOf,
  METHODS,
  OPERATORS,
  returnsOf,
  UNKNOWN,
  valueOf,
} from "./syntax.mjs"

/** Of one expression; a statement with more forms than this is better split. */
const FORMS_MAX = 128

/**
 * A value of which there is one for each call of a function (`items` is null), or each turn of a loop over `items`: who
 * evaluates tries each, so that what belongs together stays together.
 */
export class NeedsChoice extends Error {
  constructor(declaration, items = null) {
    super("depends on the calls of a function or the turns of a loop")
    this.declaration = declaration
    this.items = items
  }
}

/** The function of an array's method must have one answer. */
class Unsettled extends Error {}

/**
 * Evaluates expressions without running the program: literals, templates, constants of the project's files (which are
 * loaded and asked), local constants, and what `frames` chooses: a Map from a function's declaration to one call of it
 * or to the values of its parameters, and from a loop to the value of one turn. Where more than one value is possible,
 * it answers them all.
 */
export class Evaluator {
  constructor(checker, { frames = new Map(), unknown = new Set() } = {}) {
    this.checker = checker
    this.frames = frames
    /** Functions whose parameters nobody knows. */
    this.unknown = unknown
    this.known = new Map()
  }

  /** The possible values, without repetition. What depends on itself is not known. */
  forms(node) {
    const known = this.known.get(node)
    if (known !== undefined) {
      return known
    }
    this.known.set(node, [UNKNOWN])
    try {
      const forms = [...new Set(this.evaluate(node))]
      const few = forms.length > FORMS_MAX ? [UNKNOWN] : forms
      const settled = few.flatMap((form) => (form === UNKNOWN ? this.literals(node) : [form]))
      this.known.set(node, settled)
      return settled
    } catch (error) {
      this.known.delete(node)
      throw error
    }
  }

  /** A type of string literals says which values there are. */
  literals(node) {
    const type = this.checker.getTypeAtLocation(node)
    const members = type.isUnion() ? type.types : [type]
    return members.every((member) => member.isStringLiteral()) ? members.map(({ value }) => value) : [UNKNOWN]
  }

  evaluate(node) {
    if (ts.isStringLiteralLike(node)) {
      return [node.text]
    }
    if (ts.isNumericLiteral(node)) {
      return [Number(node.text)]
    }
    if (isWrapped(node)) {
      return this.forms(node.expression)
    }
    const method = METHODS.get(node.kind)
    return method === undefined ? [CONSTANTS.get(node.kind) ?? UNKNOWN] : this[method](node)
  }

  identifier(node) {
    return this.named(this.checker.getSymbolAtLocation(node), node)
  }

  property(node) {
    return this.forms(node.expression).flatMap((object) => this.member(object, node.name.text))
  }

  object(node) {
    return [new Literal(node, this)]
  }

  /** Runs the function on known values. */
  arrow(node) {
    return [
      (...values) => {
        const frames = new Map(this.frames).set(node, { values })
        const [form, ...others] = returnsOf(node).flatMap((one) => this.within(frames).forms(one))
        if (others.length > 0 || !isKnown(form)) {
          throw new Unsettled()
        }
        return form
      },
    ]
  }

  within(frames) {
    return new Evaluator(this.checker, { frames, unknown: this.unknown })
  }

  template(node) {
    let texts = [node.head.text]
    for (const { expression, literal } of node.templateSpans) {
      const parts = this.forms(expression)
      texts = texts.flatMap((text) => parts.map((part) => join(text, part, literal.text)))
    }
    return texts
  }

  named(symbol, node) {
    const target = symbol && symbol.flags & ts.SymbolFlags.Alias ? this.checker.getAliasedSymbol(symbol) : symbol
    const declaration = target?.valueDeclaration
    if (declaration === undefined || declaration.getSourceFile().isDeclarationFile) {
      return [node.text === "undefined" ? undefined : (GLOBALS.get(node.text) ?? UNKNOWN)]
    }
    if (isTopLevel(declaration)) {
      return [valueOf(declaration)]
    }
    return ts.isBindingElement(declaration) ? this.bound(declaration) : this.source(declaration)
  }

  /** What a parameter or a local variable is given. */
  source(declaration) {
    if (ts.isParameter(declaration)) {
      return this.parameter(declaration)
    }
    const loop = loopOf(declaration)
    if (loop !== null) {
      return this.turn(loop)
    }
    const isConstant = ts.isVariableDeclaration(declaration) && declaration.parent.flags & ts.NodeFlags.Const
    return isConstant && declaration.initializer ? this.forms(declaration.initializer) : [UNKNOWN]
  }

  turn(loop) {
    if (this.frames.has(loop)) {
      return [this.frames.get(loop).value]
    }
    const [items, ...others] = this.forms(loop.expression)
    if (others.length > 0 || !Array.isArray(items) || this.unknown.has(loop)) {
      return [UNKNOWN]
    }
    throw new NeedsChoice(loop, items)
  }

  parameter(declaration) {
    const owner = declaration.parent
    const index = owner.parameters.indexOf(declaration)
    const frame = this.frames.get(owner)
    if (frame?.values !== undefined) {
      return [frame.values[index]]
    }
    if (frame === undefined) {
      if (this.unknown.has(owner)) {
        return [UNKNOWN]
      }
      throw new NeedsChoice(owner)
    }
    const given = frame.arguments[index] ?? declaration.initializer
    return given === undefined ? [undefined] : this.forms(given)
  }

  /** `const { a, b: c = 1 } = object`, `const [a, b] = list`, and the same of a parameter or a loop. */
  bound(declaration) {
    const pattern = declaration.parent
    const source = pattern.parent
    if (declaration.dotDotDotToken || ts.isBindingElement(source)) {
      return [UNKNOWN]
    }
    const name = ts.isObjectBindingPattern(pattern)
      ? (declaration.propertyName ?? declaration.name).getText()
      : pattern.elements.indexOf(declaration)
    return this.source(source).flatMap((object) =>
      this.member(object, name).flatMap((value) =>
        value === undefined && declaration.initializer ? this.forms(declaration.initializer) : [value]
      )
    )
  }

  member(object, name) {
    if (object instanceof Literal) {
      return object.forms(name)
    }
    return [object === UNKNOWN || object === null || object === undefined ? UNKNOWN : object[name]]
  }

  element({ expression, argumentExpression }) {
    const keys = this.forms(argumentExpression)
    return this.forms(expression).flatMap((object) => {
      if (object === UNKNOWN || object === undefined || object === null) {
        return [UNKNOWN]
      }
      return keys.flatMap((key) => (key === UNKNOWN ? [UNKNOWN] : this.member(object, key)))
    })
  }

  /** A condition that depends on who calls is not worth trying each of them: both of its values are. */
  conditional({ condition, whenTrue, whenFalse }) {
    return this.conditionForms(condition).flatMap((value) => {
      if (value === UNKNOWN) {
        return [...this.forms(whenTrue), ...this.forms(whenFalse)]
      }
      return this.forms(value ? whenTrue : whenFalse)
    })
  }

  conditionForms(condition) {
    try {
      return this.forms(condition)
    } catch (error) {
      if (error instanceof NeedsChoice) {
        return [UNKNOWN]
      }
      throw error
    }
  }

  binary({ left, operatorToken, right }) {
    const operate = OPERATORS.get(operatorToken.kind)
    if (operate === undefined) {
      return [UNKNOWN]
    }
    const rights = this.forms(right)
    return this.forms(left).flatMap((a) =>
      rights.map((b) => (a === UNKNOWN || b === UNKNOWN ? UNKNOWN : operate(a, b)))
    )
  }

  array({ elements }) {
    const values = elements.map((element) =>
      ts.isSpreadElement(element) ? this.forms(element.expression) : this.forms(element).map((form) => [form])
    )
    const areKnown = values.every(
      (forms) => forms.length === 1 && Array.isArray(forms[0]) && !forms[0].includes(UNKNOWN)
    )
    return areKnown ? [values.flatMap(([items]) => items)] : [UNKNOWN]
  }

  /**
   * Of a function of the project's, what it returns is evaluated: arguments that the text does not need are not looked
   * at. Any other is called itself, on known values.
   */
  call(node) {
    const { declaration } = this.checker.getResolvedSignature(node) ?? {}
    const isOwn = declaration?.body !== undefined && !declaration.getSourceFile().isDeclarationFile
    if (isOwn && !this.frames.has(declaration)) {
      const inside = this.within(new Map(this.frames).set(declaration, node))
      const forms = returnsOf(declaration).flatMap((expression) => inside.forms(expression))
      if (forms.length > 0 && !forms.includes(UNKNOWN)) {
        return forms
      }
    }
    return [this.callKnown(node)]
  }

  callKnown(node) {
    const { expression } = node
    const isMethod = ts.isPropertyAccessExpression(expression)
    const [self, ...others] = isMethod ? this.forms(expression.expression) : [undefined]
    if (others.length > 0 || (isMethod && !isKnown(self)) || self === null) {
      return UNKNOWN
    }
    const args = node.arguments.map((argument) =>
      this.forms(argument).map((form) => (form instanceof Literal ? form.plain : form))
    )
    if (!args.every((forms) => forms.length === 1 && isKnown(forms[0]))) {
      return UNKNOWN
    }
    const called = isMethod ? self?.[expression.name.text] : this.forms(expression)[0]
    const values = args.map(([value]) => value)
    try {
      return typeof called === "function" ? called.apply(self, values) : UNKNOWN
    } catch (error) {
      if (error instanceof Unsettled) {
        return UNKNOWN
      }
      throw error
    }
  }
}

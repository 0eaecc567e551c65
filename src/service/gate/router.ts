/**
 * Router: a tree of path segments. Fixed segments win over placeholders: `/printjobs/states` is not a set.
 */

export type Params = Record<string, string>;

export interface Route<T> {
  readonly method: string;
  /** Such as `/computers/{computer_set}/printers`. */
  readonly path: string;
  readonly handler: T;
}

export type Match<T> =
  | {
      readonly kind: 'found';
      readonly handler: T;
      readonly params: Params;
      /** A placeholder may follow. */
      readonly goesOn: boolean;
    }
  | { readonly kind: 'other-methods'; readonly allowed: readonly string[] }
  | { readonly kind: 'none' };

interface Node<T> {
  readonly fixed: Map<string, Node<T>>;
  placeholder: { readonly name: string; readonly node: Node<T> } | undefined;
  readonly handlers: Map<string, T>;
}

export class Router<T> {
  readonly #root: Node<T> = newNode();

  constructor(routes: readonly Route<T>[]) {
    for (const route of routes) this.#add(route);
  }

  match(method: string, segments: readonly string[]): Match<T> {
    const params: Params = {};
    let node = this.#root;
    for (const segment of segments) {
      const fixed = node.fixed.get(segment);
      const { placeholder } = node;
      if (fixed) node = fixed;
      else if (placeholder) {
        params[placeholder.name] = segment;
        node = placeholder.node;
      } else return { kind: 'none' };
    }
    const handler = node.handlers.get(method);
    if (handler !== undefined) return { kind: 'found', handler, params, goesOn: node.placeholder !== undefined };
    return node.handlers.size > 0 ? { kind: 'other-methods', allowed: [...node.handlers.keys()] } : { kind: 'none' };
  }

  #add({ method, path, handler }: Route<T>): void {
    let node = this.#root;
    for (const segment of path.split('/').filter((part) => part !== '')) {
      node = segment.startsWith('{') ? placeholderChild(node, segment.slice(1, -1)) : fixedChild(node, segment);
    }
    node.handlers.set(method, handler);
  }
}

function fixedChild<T>(node: Node<T>, segment: string): Node<T> {
  const child = node.fixed.get(segment) ?? newNode<T>();
  node.fixed.set(segment, child);
  return child;
}

function placeholderChild<T>(node: Node<T>, name: string): Node<T> {
  node.placeholder ??= { name, node: newNode<T>() };
  return node.placeholder.node;
}

function newNode<T>(): Node<T> {
  return { fixed: new Map(), placeholder: undefined, handlers: new Map() };
}

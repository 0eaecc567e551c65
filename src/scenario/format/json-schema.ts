/**
 * The format as JSON Schema, for editors and for "did you mean".
 */

import { z } from 'zod';

import type { Path } from '../../common/problem.ts';
import { scenarioSchema } from './scenario.ts';

interface SchemaNode {
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly additionalProperties?: SchemaNode | boolean;
  readonly items?: SchemaNode;
  readonly anyOf?: readonly SchemaNode[];
}

/** The format as a JSON Schema of draft 7, which all editors support. */
export function scenarioJsonSchema(): Readonly<Record<string, unknown>> {
  const schema = z.toJSONSchema(scenarioSchema, { io: 'input', target: 'draft-7', reused: 'inline' });
  return { title: 'platen scenario', ...schema };
}

/** The keys that the object at a path may have. */
export function knownKeys(path: Path): readonly string[] {
  const nodes = path.reduce<readonly SchemaNode[]>(
    (found, part) => found.flatMap((node) => inside(node, part)),
    forms(scenarioJsonSchema()),
  );
  return [...new Set(nodes.flatMap(({ properties = {} }) => Object.keys(properties)))];
}

function inside(
  { properties = {}, additionalProperties, items }: SchemaNode,
  part: PropertyKey,
): readonly SchemaNode[] {
  if (typeof part === 'number') return items ? forms(items) : [];
  const inner = properties[String(part)];
  if (inner) return forms(inner);
  return typeof additionalProperties === 'object' ? forms(additionalProperties) : [];
}

/** A schema and the alternatives it has. */
function forms(node: SchemaNode): readonly SchemaNode[] {
  return [node, ...(node.anyOf ?? []).flatMap(forms)];
}
